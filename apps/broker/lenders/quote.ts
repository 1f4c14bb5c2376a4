import type { ProvisionalQuote } from '../case/state.ts'
import { RATE_CARDS, termsOf } from './rate-cards.ts'

/**
 * One indicative quote, at the rate of the lender that is asked first.
 *
 * Pure, and free of Node: a page may show with it what the server will record.
 */
export function quote(net: number, termMonths: number, at: string): ProvisionalQuote {
  if (!(net > 0 && net < Infinity)) throw new Error(`Cannot quote: the net loan is '${net}'`)
  if (!(Number.isInteger(termMonths) && termMonths > 0)) {
    throw new Error(`Cannot quote: the term is '${termMonths}' months`)
  }
  const terms = termsOf(RATE_CARDS[0], net, termMonths)
  return {
    amount: terms.netLoanAmount,
    termMonths,
    indicativeAprPct: terms.aprPct,
    monthlyPayment: terms.monthlyPayment,
    totalPayable: terms.totalPayable,
    capturedAt: at,
  }
}
