/**
 * The audit page of a thread of any application, the list of all threads with its search, and what a description of an application draws its parts
 * with. It must never know an application: the entry of the page gives it their descriptions.
 *
 * @module
 */
export { AuditPage } from './audit-page.tsx'
export type { PaneProps, ThreadDescription } from './description.ts'
export { FailedAnswer } from './failed-answer.tsx'
export { FileSection } from './file-section.tsx'
export { FoundRecord } from './found-record.tsx'
export type { Records } from './found-record.tsx'
export { HashText } from './hash-text.tsx'
export { ItemList } from './item-list.tsx'
export { ThreadListPage } from './list/list-page.tsx'
export { RecordLink } from './record-link.tsx'
export { StatePane } from './state-pane.tsx'
export { TranscriptPane } from './transcript-pane.tsx'
export { useAnswer } from './use-answer.ts'
export type { Answer } from './use-answer.ts'
export { withReveal } from './use-reveal.ts'
export { Verdict } from './verdict.tsx'
export type { VerdictProps } from './verdict.tsx'
