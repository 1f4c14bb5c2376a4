import type { CaseGate } from '../case/gates.ts'
import { nextGate } from '../case/gates.ts'
import type { CaseView } from './case-view.ts'

export type CardName =
  | Exclude<CaseGate, 'closed'>
  | 'declined'
  | 'ineligible'
  | 'withdrawn'
  | 'finished'

/** The one card that stands after the transcript. */
export function currentCard(view: CaseView): CardName {
  const gate = nextGate(view)
  return gate === 'closed' ? endedCard(view) : gate
}

function endedCard({ status }: CaseView): CardName {
  if (status === 'declined' || status === 'ineligible' || status === 'withdrawn') return status
  return 'finished'
}

/** Whether the person can still say something that counts. */
export function isEnded(card: CardName): boolean {
  return ['declined', 'ineligible', 'withdrawn', 'finished'].includes(card)
}
