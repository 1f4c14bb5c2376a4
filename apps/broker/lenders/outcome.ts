import type { Offer, ProvisionalQuote, WaterfallOutcome } from '../case/state.ts'
import type { LenderDecision, PanelLender } from './panel.ts'
import type { OfferTerms } from './rate-cards.ts'
import { toPennies } from './repayment.ts'

// A lender may round its rate differently; more than this is another price.
const APR_TOLERANCE_PCT = 0.01
// In doubles 8.04 + 0.01 is less than 8.05.
const APR_NOISE_PCT = 1e-9

export interface AskedLender {
  readonly lender: PanelLender
  readonly requested: ProvisionalQuote
  readonly offerId: string
}

/** The meaning of a lender's answer for the customer's request. */
export function outcomeOf(decision: LenderDecision, asked: AskedLender): WaterfallOutcome {
  if (decision.kind !== 'approved') return decision
  const { terms } = decision
  if (!addsUp(terms)) return { kind: 'unavailable', reason: 'INCONSISTENT_TERMS' }
  // The customer consented to this loan: another amount would be another application.
  if (toPennies(terms.netLoanAmount) !== toPennies(asked.requested.amount)) {
    return { kind: 'declined', reason: 'OTHER_AMOUNT_OFFERED' }
  }
  const offer: Offer = { id: asked.offerId, ...asked.lender, ...terms }
  const reason = differences(terms, asked.requested).join(',')
  return reason === ''
    ? { kind: 'approved_as_requested', offer }
    : { kind: 'approved_with_counter', offer, reason }
}

// Also false for figures that are not numbers.
function addsUp({ monthlyPayment, totalPayable, termMonths }: OfferTerms): boolean {
  return Math.abs(toPennies(monthlyPayment) * termMonths - toPennies(totalPayable)) <= 1
}

type Requested = Pick<ProvisionalQuote, 'indicativeAprPct' | 'termMonths'>

/** Whether an approval has the requested terms; if not, it is a counter-offer. */
export function isAsRequested(offered: OfferTerms, requested: Requested): boolean {
  return differences(offered, requested).length === 0
}

function differences(offered: OfferTerms, requested: Requested): string[] {
  const aprMax = requested.indicativeAprPct + APR_TOLERANCE_PCT + APR_NOISE_PCT
  return [
    ...(offered.aprPct > aprMax ? ['HIGHER_APR'] : []),
    ...(offered.termMonths > requested.termMonths ? ['LONGER_TERM'] : []),
    ...(offered.termMonths < requested.termMonths ? ['SHORTER_TERM'] : []),
  ]
}
