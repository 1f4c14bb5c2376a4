import type { CaseGate } from '../case/gates.ts'
import { nextGate, presented } from '../case/gates.ts'
import type { CaseView } from './case-view.ts'

export type CardName =
  | Exclude<CaseGate, 'closed'>
  | 'declined'
  | 'ineligible'
  | 'withdrawn'
  | 'finished'

/** The one card after the transcript. */
export function currentCard(view: CaseView): CardName {
  const gate = nextGate(view)
  if (gate === 'closed') return endedCard(view)
  return gate === 'submit' && isSentAtOnce(view) ? 'waterfall' : gate
}

/** Up to version 1, a second page asked the customer to send what they had confirmed. */
const SENT_AT_ONCE_SINCE_VERSION = 2

function isSentAtOnce(view: CaseView): boolean {
  const { version = 1 } = presented(view, 'pre_contract_summary') ?? {}
  return version >= SENT_AT_ONCE_SINCE_VERSION
}

function endedCard({ status }: CaseView): CardName {
  if (status === 'declined' || status === 'ineligible' || status === 'withdrawn') return status
  return 'finished'
}

/** The disclosure that a card puts to the customer, if it is one's. */
export function disclosureOf(card: CardName): string | undefined {
  if (card === 'consent_refused') return 'credit_search_consent'
  const [kind, id] = card.split(':')
  return kind === 'disclosure' ? id : undefined
}

/** Returns whether the card is one of an ended case, where answers no longer count. */
export function isEnded(card: CardName): boolean {
  return ['declined', 'ineligible', 'withdrawn', 'finished'].includes(card)
}
