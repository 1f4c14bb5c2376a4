import { SummaryList, money, percent } from '../../../kit/index.ts'
import type { Offer } from '../../case/state.ts'
import { WORDS } from '../words.ts'

/** Who lends what, on which terms. */
export function OfferFigures({ offer }: { readonly offer: Offer }) {
  return (
    <SummaryList
      rows={[
        { name: WORDS.offer.lender, value: offer.lender },
        { name: WORDS.quote.amount, value: money(offer.netLoanAmount) },
        { name: WORDS.offer.apr, value: percent(offer.aprPct) },
        { name: WORDS.counter.term, value: WORDS.quote.months(offer.termMonths) },
        { name: WORDS.quote.monthly, value: money(offer.monthlyPayment) },
        { name: WORDS.quote.total, value: money(offer.totalPayable) },
      ]}
    />
  )
}
