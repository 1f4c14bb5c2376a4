import type { DirectEvent } from '../../kit/index.ts'
import type { Offer } from '../case/state.ts'
import type { CaseView } from './case-view.ts'
import { counterOffer } from './case-view.ts'
import { currentCard } from './current-card.ts'
import { TURN_DOWN_WORDS } from './turn-down-words.ts'

/** An offer that waits for the customer, and what happens when they say no to it. */
export interface TurnDown {
  readonly offer: Offer
  /** The button that says no. */
  readonly act: string
  readonly next: string
  readonly ends: 'the application' | 'the offer'
  readonly event: DirectEvent
}

const words = TURN_DOWN_WORDS

/** Says what turning the waiting offer down brings about; nothing where no offer waits. Pure. */
export function turnDownOf(view: CaseView): TurnDown | undefined {
  const card = currentCard(view)
  if (card === 'counter') return counterTurnDown(view)
  const offer = view.waterfall?.acceptedOffer
  if (card !== 'accept' || !offer) return undefined
  const event = { type: 'withdraw', data: {} }
  return { offer, act: words.end, next: words.endsUnasked, ends: 'the application', event }
}

function counterTurnDown(view: CaseView): TurnDown | undefined {
  const offer = counterOffer(view)
  if (!offer) return undefined
  const event = { type: 'refuse_counter_offer', data: {} }
  const { lenders } = view
  // Older cases do not name the lenders that were not asked.
  if (!lenders) return { offer, act: words.askNext, next: words.mayAsk, ends: 'the offer', event }
  const next = lenders.find(({ status }) => status === 'next')?.lender
  if (next === undefined) {
    return { offer, act: words.end, next: words.ends, ends: 'the application', event }
  }
  return { offer, act: words.askLender(next), next: words.asks(next), ends: 'the offer', event }
}
