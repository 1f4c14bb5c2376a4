import type { Offer } from '../../case/state.ts'

/** The compared terms of a loan. */
export type Terms = Pick<Offer, 'termMonths' | 'monthlyPayment' | 'totalPayable'>

/** One difference between the customer's estimate and an offer. */
export interface Difference {
  readonly of: 'total' | 'term' | 'monthly'
  readonly direction: 'more' | 'less'
  /** Pounds, or months for the term; without a sign. */
  readonly by: number
}

/**
 * Says how an offer differs: first what the customer pays more of or for longer, then the rest, each
 * time total, term, payment. Compares whole pennies, so a difference is never a fraction of one. Pure.
 */
export function differencesOf(asked: Terms, offered: Terms): readonly Difference[] {
  const total = pennies(offered.totalPayable) - pennies(asked.totalPayable)
  const monthly = pennies(offered.monthlyPayment) - pennies(asked.monthlyPayment)
  const differences = [
    difference('total', total / 100),
    difference('term', offered.termMonths - asked.termMonths),
    difference('monthly', monthly / 100),
  ].filter(({ by }) => by !== 0)
  return [
    ...differences.filter(({ direction }) => direction === 'more'),
    ...differences.filter(({ direction }) => direction === 'less'),
  ]
}

export function directionOf(
  differences: readonly Difference[],
  of: Difference['of'],
): Difference['direction'] | 'same' {
  return differences.find((each) => each.of === of)?.direction ?? 'same'
}

function difference(of: Difference['of'], change: number): Difference {
  return { of, direction: change > 0 ? 'more' : 'less', by: Math.abs(change) }
}

function pennies(pounds: number): number {
  return Math.round(pounds * 100)
}
