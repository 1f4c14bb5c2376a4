/**
 * Shared parts of the pages of all applications: tokens, plain components, and the hooks by which a page
 * follows its thread and sends a person's turns. Words of a component itself are in
 * `words.ts`; everything else it is given. It must never know a domain's events or state.
 *
 * @module
 */
export { ActorMark, ActorShape, actorOf } from './actor-mark.tsx'
export type { Actor } from './actor-mark.tsx'
export { Approval } from './approval.tsx'
export { Banner } from './banner.tsx'
export { Brand } from './brand.tsx'
export { Button, ButtonRow } from './button.tsx'
export type { Readiness } from './button.tsx'
export { Card } from './card.tsx'
export { ChatBubble } from './chat-bubble.tsx'
export { ChatLog } from './chat-log.tsx'
export { ChecklistRow } from './checklist-row.tsx'
export { ChoiceField } from './choice-field.tsx'
export { CommandPalette } from './command-palette.tsx'
export type { Command } from './commands.ts'
export { goTo, openPage } from './go-to.ts'
export { Comparison } from './comparison.tsx'
export { Composer } from './composer.tsx'
export { ConnectionBanner } from './connection-banner.tsx'
export { CopyButton } from './copy-button.tsx'
export { CopyField } from './copy-field.tsx'
export { DateField } from './date-field.tsx'
export { DeadEnd } from './dead-end.tsx'
export { enterPage } from './enter-page.ts'
export type { PageEntry } from './enter-page.ts'
export { ErrorSummary } from './error-summary.tsx'
export type { FieldError } from './error-summary.tsx'
export { Form, errorAt } from './form.tsx'
export { Disclosure } from './disclosure.tsx'
export { EmptyState } from './empty-state.tsx'
export { FailedState } from './failed-state.tsx'
export {
  amount,
  date,
  clockTime,
  dateTime,
  day,
  dayAndTime,
  duration,
  money,
  moneyWithPence,
  number,
  percent,
  time,
} from './format.ts'
export { addressWith } from './fragment.ts'
export { withoutLinks } from './help-links.ts'
export { inBackground } from './in-background.ts'
export { IconButton } from './icon-button.tsx'
export { KeyFacts } from './key-facts.tsx'
export { KeyFigures } from './key-figures.tsx'
export { FullText } from './full-text.tsx'
export { LinkButton } from './link-button.tsx'
export { LoadingState } from './loading-state.tsx'
export { Menu } from './menu.tsx'
export { prepareMessage } from './message-draft.ts'
export { mountPage, mountThreadPage } from './mount-page.tsx'
export { Icon } from './icon.tsx'
export { Note } from './note.tsx'
export { OfflineStrip } from './offline-strip.tsx'
export { ReadingLine } from './reading-line.tsx'
export { fetchOfferingSeed, keepSeed, keepSeedForVisits } from './recovery.ts'
export { reportCode } from './report-code.ts'
export { reconnect } from './reconnect.ts'
export { RefusedNotice } from './refused-notice.tsx'
export { SelectField } from './select-field.tsx'
export { sessionRequest } from './session-request.ts'
export { Sheet } from './sheet.tsx'
export { StatusLine } from './status-line.tsx'
export { StepLine } from './step-line.tsx'
export { Strip } from './strip.tsx'
export { ShownText } from './shown-text.tsx'
export { SummaryList } from './summary-list.tsx'
export type { SummaryRow } from './summary-list.tsx'
export { Tag } from './tag.tsx'
export { TermChips } from './term-chips.tsx'
export { TextField } from './text-field.tsx'
export type { TextFieldProps } from './text-field.tsx'
export type { DirectEvent } from './turn.ts'
export type { ThreadView } from './thread-view.ts'
export { Timeline } from './timeline.tsx'
export type { TimelineItem } from './timeline.tsx'
export { TurnProblem } from './turn-problem.tsx'
export { useChat } from './use-chat.ts'
export type { Chat } from './use-chat.ts'
export { forgetDraft, placeOfDraft, useDraft } from './use-draft.ts'
export { useFieldErrors } from './use-field-errors.ts'
export { useFollowEnd } from './use-follow-end.ts'
export { useOnline } from './use-online.ts'
export { useOpenedThread } from './use-opened-thread.ts'
export { useSheet } from './use-sheet.ts'
export type { SheetState } from './use-sheet.ts'
export { useStop } from './use-stop.ts'
export type { Stop } from './use-stop.ts'
export { useTurns } from './use-turns.ts'
export type { Turns } from './use-turns.ts'
export { VisuallyHidden } from './visually-hidden.tsx'
