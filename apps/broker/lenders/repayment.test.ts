import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repayment } from './repayment.ts'

const amount = fc.integer({ min: 100_000, max: 5_000_000 }).map((pennies) => pennies / 100)
const aprPct = fc.integer({ min: 0, max: 4_000 }).map((bps) => bps / 100)
const termMonths = fc.integer({ min: 24, max: 180 })

test('without interest the payment is the principal divided by the term, to the penny', () => {
  expect(repayment(12_000, 0, 120)).toEqual({ monthlyPennies: 10_000, totalPennies: 1_200_000 })
  expect(repayment(1_000, 0, 36)).toEqual({ monthlyPennies: 2_778, totalPennies: 100_008 })
})

test('the payment repays the loan, and a penny less would not', () => {
  fc.assert(
    fc.property(amount, aprPct, termMonths, (loan, apr, term) => {
      const { monthlyPennies, totalPennies } = repayment(loan, apr, term)
      expect(balanceAfter(loan, apr, { term, monthlyPennies })).toBeLessThan(0.01)
      const short = { term, monthlyPennies: monthlyPennies - 1 }
      expect(balanceAfter(loan, apr, short)).toBeGreaterThan(-0.01)
      expect(totalPennies).toBe(monthlyPennies * term)
    }),
  )
})

// Month by month, as a lender's ledger would: no annuity formula to share a mistake with.
function balanceAfter(
  loan: number,
  apr: number,
  plan: { term: number; monthlyPennies: number },
): number {
  const monthly = (1 + apr / 100) ** (1 / 12)
  let balance = loan * 100
  for (let month = 0; month < plan.term; month++) balance = balance * monthly - plan.monthlyPennies
  return balance
}
