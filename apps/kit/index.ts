/**
 * What the pages of all applications share: tokens, plain components, and the hooks by which a page
 * follows its thread and sends a person's turns. Words that a component says itself stand in
 * `words.ts`; everything else it is given. It must never know a domain's events or state.
 *
 * @module
 */
export { ActorMark, actorOf } from './actor-mark.tsx'
export type { Actor } from './actor-mark.tsx'
export { Banner } from './banner.tsx'
export { Button, ButtonRow } from './button.tsx'
export type { Readiness } from './button.tsx'
export { Card } from './card.tsx'
export { ChatLog } from './chat-log.tsx'
export { ChoiceField } from './choice-field.tsx'
export { Composer } from './composer.tsx'
export { ConnectionBanner } from './connection-banner.tsx'
export { CopyField } from './copy-field.tsx'
export { DateField } from './date-field.tsx'
export type { PageEntry } from './enter-page.ts'
export type { FieldError } from './error-summary.tsx'
export { Form, errorAt } from './form.tsx'
export { date, dateTime, money, number, percent, time } from './format.ts'
export { LinkButton } from './link-button.tsx'
export { mountPage, mountThreadPage } from './mount-page.tsx'
export { RefusedNotice } from './refused-notice.tsx'
export { SelectField } from './select-field.tsx'
export { sessionRequest } from './session-request.ts'
export { SummaryList } from './summary-list.tsx'
export type { SummaryRow } from './summary-list.tsx'
export { TextField } from './text-field.tsx'
export type { DirectEvent } from './turn-answer.ts'
export type { ThreadView } from './thread-view.ts'
export { TurnProblem } from './turn-problem.tsx'
export { useChat } from './use-chat.ts'
export { useDraft } from './use-draft.ts'
export { useOpenedThread } from './use-opened-thread.ts'
export { useTurns } from './use-turns.ts'
export type { Turns } from './use-turns.ts'
