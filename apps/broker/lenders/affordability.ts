import type { FinancialFacts, PersonalFacts } from '../case/state.ts'
import type { LenderVerdict } from './panel.ts'
import { termsOf } from './rate-cards.ts'
import type { RateCard } from './rate-cards.ts'
import { repayment, toPennies } from './repayment.ts'
import { chipsLongerThan } from './terms.ts'

/** All that the rules may read of an application: no free text, nothing about vulnerability. */
export interface Means {
  readonly submittedAt: string
  readonly requested: { readonly amount: number; readonly termMonths: number }
  readonly personal: Pick<PersonalFacts, 'dateOfBirth'>
  readonly financial: Pick<FinancialFacts, 'employmentStatus' | 'annualIncome' | 'monthlyOutgoings'>
}

type DeclineReason =
  | 'AMOUNT_OUT_OF_RANGE'
  | 'NO_REGULAR_INCOME'
  | 'INCOME_BELOW_MINIMUM'
  | 'AGE_AT_TERM_END'
  | 'AFFORDABILITY'

const AGE_AT_TERM_END_MAX = 80
// The assumed net share of the gross income.
const TAKE_HOME_PCT = 75

/** Decides by the customer's figures alone, so the same figures always get the same answer. */
export function decideByMeans(card: RateCard, means: Means): LenderVerdict {
  const { amount, termMonths } = means.requested
  const shortest = Math.min(Math.max(termMonths, card.termMonthsMin), card.termMonthsMax)
  const reason = barred(card, means, shortest)
  if (reason) return declined(reason)
  const longer = chipsLongerThan(shortest).filter((chip) => chip <= card.termMonthsMax)
  const term = [shortest, ...longer].find(
    (candidate) => !endsTooOld(means, candidate) && affords(card, means, candidate),
  )
  if (term === undefined) return declined('AFFORDABILITY')
  return { kind: 'approved', terms: termsOf(card, amount, term) }
}

function barred(card: RateCard, means: Means, termMonths: number): DeclineReason | undefined {
  const { employmentStatus, annualIncome = 0 } = means.financial
  const { amount } = means.requested
  if (amount < card.amountMin || amount > card.amountMax) return 'AMOUNT_OUT_OF_RANGE'
  if (!card.incomes.some((income) => income === employmentStatus)) return 'NO_REGULAR_INCOME'
  if (annualIncome < card.annualIncomeMin) return 'INCOME_BELOW_MINIMUM'
  if (endsTooOld(means, termMonths)) return 'AGE_AT_TERM_END'
  return undefined
}

// In pennies a year and percent, so that a figure on the line is on the line.
function affords(card: RateCard, means: Means, termMonths: number): boolean {
  const { annualIncome = 0, monthlyOutgoings = 0 } = means.financial
  const { amount } = means.requested
  const income = toPennies(annualIncome)
  const disposableTimes100 = TAKE_HOME_PCT * income - 1_200 * toPennies(monthlyOutgoings)
  const { aprPct } = termsOf(card, amount, termMonths)
  const yearlyPayments = 12 * repayment(amount, aprPct, termMonths).monthlyPennies
  return (
    yearlyPayments * card.paymentCoverPct <= disposableTimes100 &&
    yearlyPayments * 100 <= card.paymentShareMaxPct * income
  )
}

// A case whose form was not finished has no date of birth; the other rules still hold.
function endsTooOld(means: Means, termMonths: number): boolean {
  const { dateOfBirth } = means.personal
  if (dateOfBirth === undefined) return false
  const [born, submitted] = [calendarDay(dateOfBirth), calendarDay(means.submittedAt)]
  const birthdayToCome = submitted.day < born.day ? 1 : 0
  const ageMonths = submitted.months - born.months - birthdayToCome + termMonths
  return Math.floor(ageMonths / 12) > AGE_AT_TERM_END_MAX
}

function calendarDay(iso: string): { months: number; day: number } {
  const [year, month, day] = iso.slice(0, 10).split('-').map(Number)
  if (!year || !month || !day) throw new Error(`Cannot decide: the date is '${iso}'`)
  return { months: year * 12 + month, day }
}

function declined(reason: DeclineReason): LenderVerdict {
  return { kind: 'declined', reason }
}
