import type { DirectEvent, PageEntry, Readiness } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'

/** What every card is given: the case, and the way to record what the customer decides. */
export interface CardProps {
  readonly entry: PageEntry
  readonly view: CaseView
  readonly readiness: Readiness
  /** Sends a click as events; the case changes only when the server has recorded them. */
  readonly record: (events: readonly DirectEvent[], onAnswered?: () => void) => void
}

/** What a card may open over itself. */
export interface SheetProps {
  readonly onSheet: (name: 'ask' | 'person' | 'saved' | 'refuse' | 'withdraw') => void
}

/** How a card sends a question to the assistant and shows the answer. */
export interface AskProps {
  readonly onAsk: (question: string) => void
}
