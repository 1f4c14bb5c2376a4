import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import type { ProvisionalQuote } from '../case/state.ts'

/** Money as the server worked it out: the page computes none. */
export type OfferedQuote = Omit<ProvisionalQuote, 'capturedAt'>

export function readQuotes(answer: Json): readonly OfferedQuote[] {
  const { quotes } = membersOf(answer)
  // Our own server shapes each of them.
  return Array.isArray(quotes) ? (quotes as readonly OfferedQuote[]) : []
}
