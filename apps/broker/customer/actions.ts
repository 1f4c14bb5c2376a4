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
