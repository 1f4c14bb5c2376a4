import type { CaseState, Offer, WaterfallResult } from '../case/index.ts'
import { inPercent, inPounds, inYears } from './figures.ts'
import { nameForPrompt } from './prompt-lines.ts'

/** Describes the current cost of the loan: of the offer, or else of the estimate. */
export function costsOfCase({ provisionalQuote, waterfall }: CaseState): string {
  const offer = waterfall && openOffer(waterfall)
  if (offer) {
    const { lender, aprPct, ...terms } = offer
    return `${nameForPrompt(lender)} offers ${costs({ ...terms, aprPct })}.`
  }
  if (!provisionalQuote) return ''
  const { indicativeAprPct: aprPct, amount: netLoanAmount, ...terms } = provisionalQuote
  return `Your estimate: ${costs({ ...terms, aprPct, netLoanAmount })}.`
}

/** The offer that was accepted or awaits the customer's decision. */
function openOffer({ acceptedOffer, awaitingCounterDecision, steps }: WaterfallResult) {
  if (acceptedOffer || !awaitingCounterDecision) return acceptedOffer
  const last = steps.at(-1)?.outcome
  return last && 'offer' in last ? last.offer : undefined
}

/** The lender that the costs of a case name; empty when they are an estimate. */
export function lenderOf(costs: string): string {
  return /^(.+?) offers \d/.exec(costs)?.[1] ?? ''
}

type Costs = Pick<
  Offer,
  'netLoanAmount' | 'aprPct' | 'termMonths' | 'monthlyPayment' | 'totalPayable'
>

function costs({ netLoanAmount, aprPct, termMonths, monthlyPayment, totalPayable }: Costs): string {
  return (
    `${inPercent(aprPct)} APR over ${inYears(termMonths)}, ${inPounds(monthlyPayment)} a month. ` +
    `You borrow ${inPounds(netLoanAmount)} and repay ${inPounds(totalPayable)} in all`
  )
}
