import { membersOf, textOf } from 'throughline'
import type { Json } from 'throughline'
import { inWords } from '../../studio/story/index.ts'
import { pounds, years } from './values.ts'

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['approved_as_requested', 'approved as asked for'],
  ['approved_with_counter', 'offers different terms'],
  ['declined', 'declined'],
  ['unavailable', 'gave no usable answer'],
])

/** Describes a step of the waterfall: the lender, its answer with the terms, and the reason. */
export function lenderAnswer(step: Json): string {
  const { outcome = null } = membersOf(step)
  const { offer } = membersOf(outcome)
  const kind = textOf(outcome, 'kind')
  const reason = textOf(outcome, 'reason')
  const told = `${textOf(step, 'lender')}: ${ANSWERS.get(kind) ?? inWords(kind)}`
  const terms = offer === undefined ? '' : termsOf(offer)
  return [
    told,
    ...(terms === '' ? [] : [terms]),
    ...(reason === '' ? [] : [lenderReason(reason)]),
  ].join(', ')
}

function termsOf(offer: Json): string {
  const { monthlyPayment, termMonths } = membersOf(offer)
  if (typeof monthlyPayment !== 'number' || typeof termMonths !== 'number') return ''
  return `${pounds(monthlyPayment)} a month for ${years(termMonths)}`
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['AMOUNT_OUT_OF_RANGE', 'it does not lend this amount'],
  ['NO_REGULAR_INCOME', 'there is no regular income'],
  ['INCOME_BELOW_MINIMUM', 'the income is below its minimum'],
  ['AGE_AT_TERM_END', 'the customer would be over its age limit at the end'],
  ['AFFORDABILITY', 'the payments are too high for the income'],
  ['LONGER_TERM', 'the term is longer than asked for'],
  ['SHORTER_TERM', 'the term is shorter than asked for'],
  ['HIGHER_APR', 'the APR is higher than in the quote'],
  ['DEMO_SCENARIO', 'the demonstration asks it to'],
  ['OTHER_AMOUNT_OFFERED', 'it offered another amount'],
  ['INCONSISTENT_TERMS', 'its terms did not add up'],
  ['ANSWER_TOO_LARGE', 'its answer was too long'],
  ['NETWORK_ERROR', 'it could not be reached'],
  ['TIMEOUT', 'it did not answer in time'],
])

/** A lender may give several codes at once; a code without a sentence is read as words. */
export function lenderReason(codes: string): string {
  return codes
    .split(/[\s,+]+/)
    .map((code) => REASONS.get(code) ?? inWords(code))
    .join(' and ')
}
