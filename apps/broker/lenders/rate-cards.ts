import type { EmploymentStatus, Offer, PanelPosition, ProductCode } from '../case/state.ts'
import { repayment, toPounds } from './repayment.ts'

/** A lender's terms and criteria: all data of the built-in panel about it. */
export interface RateCard {
  readonly lender: string
  readonly position: PanelPosition
  readonly productCode: ProductCode
  readonly amountMin: number
  readonly amountMax: number
  readonly termMonthsMin: number
  readonly termMonthsMax: number
  readonly baseAprBps: number
  /** Added for every full step of the amount. */
  readonly stepBps: number
  readonly incomes: readonly EmploymentStatus[]
  readonly annualIncomeMin: number
  /** The share of the payment that the disposable income must cover. */
  readonly paymentCoverPct: number
  /** The largest share of the gross income that the payment may be. */
  readonly paymentShareMaxPct: number
}

const APR_STEP_POUNDS = 5_000
const ANY_REGULAR_INCOME = ['Employed', 'Self-employed', 'Retired'] as const

/** In the order in which they are asked; the first sets the indicative rate. */
export const RATE_CARDS: readonly [RateCard, ...RateCard[]] = [
  {
    lender: 'Harbour Bank',
    position: 'Prime Priority 1',
    productCode: 'IBC',
    amountMin: 2_000,
    amountMax: 25_000,
    termMonthsMin: 36,
    termMonthsMax: 180,
    baseAprBps: 990,
    stepBps: -25,
    incomes: ANY_REGULAR_INCOME,
    annualIncomeMin: 20_000,
    paymentCoverPct: 200,
    paymentShareMaxPct: 15,
  },
  {
    lender: 'Meridian Bank',
    position: 'Prime Priority 2',
    productCode: 'IBC',
    amountMin: 1_000,
    amountMax: 50_000,
    termMonthsMin: 24,
    termMonthsMax: 180,
    baseAprBps: 1_140,
    stepBps: -20,
    incomes: ANY_REGULAR_INCOME,
    annualIncomeMin: 15_000,
    paymentCoverPct: 150,
    paymentShareMaxPct: 20,
  },
  {
    lender: 'Steadfast Finance',
    position: 'Sub-Prime 1',
    productCode: 'IBC',
    amountMin: 1_000,
    amountMax: 20_000,
    termMonthsMin: 24,
    termMonthsMax: 120,
    baseAprBps: 1_890,
    stepBps: -10,
    incomes: [...ANY_REGULAR_INCOME, 'Other'],
    annualIncomeMin: 10_000,
    paymentCoverPct: 115,
    paymentShareMaxPct: 30,
  },
]

/** The part of an offer that a lender decides. */
export type OfferTerms = Pick<
  Offer,
  'netLoanAmount' | 'aprPct' | 'termMonths' | 'monthlyPayment' | 'totalPayable'
>

/** Counted in basis points, so that two decimals are exact; never below zero, at any amount. */
export function aprPct(card: RateCard, amount: number): number {
  const steps = Math.floor(amount / APR_STEP_POUNDS)
  return Math.max(0, card.baseAprBps + steps * card.stepBps) / 100
}

export function termsOf(card: RateCard, amount: number, termMonths: number): OfferTerms {
  const apr = aprPct(card, amount)
  const { monthlyPennies, totalPennies } = repayment(amount, apr, termMonths)
  return {
    netLoanAmount: amount,
    aprPct: apr,
    termMonths,
    monthlyPayment: toPounds(monthlyPennies),
    totalPayable: toPounds(totalPennies),
  }
}
