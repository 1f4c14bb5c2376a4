import { KeyFigures, percent } from '../../../kit/index.ts'
import type { Offer } from '../../case/state.ts'
import type { OfferedQuote } from '../quotes.ts'
import { interestOf } from '../quotes.ts'
import { QUOTE_WORDS } from './quote-words.ts'
import { termText } from './term.ts'

export interface LoanFiguresProps {
  readonly loan: OfferedQuote
  /** Whether the rate is an estimate or the one that the lender offers. */
  readonly rate: 'representative' | 'yourRate'
}

/** Shows a loan's payment, its APR beside it, then the sum that leads to the total. */
export function LoanFigures({ loan, rate }: LoanFiguresProps) {
  const words = QUOTE_WORDS
  return (
    <KeyFigures
      payment={loan.monthlyPayment}
      per={words.monthFor(termText(loan.termMonths))}
      rate={words.apr(percent(loan.indicativeAprPct))}
      rateNote={words[rate]}
      borrowed={{ name: words.borrow, pounds: loan.amount }}
      interest={{ name: words.interest, pounds: interestOf(loan) }}
      total={{ name: words.total, pounds: loan.totalPayable }}
    />
  )
}

/** An offer in the terms of a quote. */
export function loanOf(offer: Offer): OfferedQuote {
  const { netLoanAmount, aprPct, termMonths, monthlyPayment, totalPayable } = offer
  return {
    amount: netLoanAmount,
    indicativeAprPct: aprPct,
    termMonths,
    monthlyPayment,
    totalPayable,
  }
}
