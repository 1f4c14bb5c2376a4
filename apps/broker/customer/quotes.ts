import { membersOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import type { ProvisionalQuote } from '../case/state.ts'

/** Money as the server worked it out: the page computes none but the interest in it. */
export type OfferedQuote = Omit<ProvisionalQuote, 'capturedAt'>

export function readQuotes(answer: Json): readonly OfferedQuote[] {
  const { quotes } = membersOf(answer)
  // Our own server shapes each of them.
  return Array.isArray(quotes) ? (quotes as readonly OfferedQuote[]) : []
}

/** The example that is shown before the customer chooses. */
const EXAMPLE_TERM_MONTHS = 120

/** The quote for the chosen term, or the example where none is chosen; showing it records nothing. */
export function shownQuote(
  quotes: readonly OfferedQuote[],
  chosenTerm: string,
): OfferedQuote | undefined {
  const chosen = quotes.find(({ termMonths }) => `${termMonths}` === chosenTerm)
  return chosen ?? quotes.find(({ termMonths }) => termMonths === EXAMPLE_TERM_MONTHS) ?? quotes[0]
}

/** The cost of the loan beyond the borrowed sum, in whole pennies. */
export function interestOf({ amount, totalPayable }: OfferedQuote): number {
  return Math.round(totalPayable * 100 - amount * 100) / 100
}
