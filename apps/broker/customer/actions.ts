import type { DirectEvent, PageEntry, Readiness } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'

/** Props of every card: the case, and a function that records the customer's decisions. */
export interface CardProps {
  readonly entry: PageEntry
  readonly view: CaseView
  readonly readiness: Readiness
  /** Sends a click as events; the case changes only when the server has recorded them. */
  readonly record: (events: readonly DirectEvent[], onAnswered?: () => void) => void
}

/** Props of cards that open a sheet. */
export interface SheetProps {
  readonly onSheet: (name: 'ask' | 'person' | 'saved' | 'refuse' | 'withdraw') => void
}

/** Props for sending a question to the assistant and showing the answer. */
export interface AskProps {
  readonly onAsk: (question: string) => void
}
