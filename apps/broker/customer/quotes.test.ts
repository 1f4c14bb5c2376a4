import { expect, test } from 'vitest'
import { TERM_CHIPS_MONTHS, quote } from '../lenders/index.ts'
import { interestOf, shownQuote } from './quotes.ts'

const quotes = TERM_CHIPS_MONTHS.map((term) => quote(15_750, term, ''))

test('the 10-year example is shown before the customer chooses', () => {
  expect(shownQuote(quotes, '')?.termMonths).toBe(120)
  expect(shownQuote(quotes, 'ten')?.termMonths).toBe(120)
})

test.each(TERM_CHIPS_MONTHS)('the chip of %d months shows its own quote', (term) => {
  expect(shownQuote(quotes, `${term}`)?.termMonths).toBe(term)
})

test('without a 10-year quote the first one is the example, and without any there is none', () => {
  const others = quotes.filter(({ termMonths }) => termMonths !== 120)
  expect(shownQuote(others, '')).toBe(others[0])
  expect(shownQuote([], '120')).toBeUndefined()
})

test('the amount plus the interest is the total, to the penny', () => {
  expect(interestOf(quote(15_750, 120, ''))).toBe(7_975.2)
  for (const each of quotes) {
    const pennies = Math.round(each.amount * 100) + Math.round(interestOf(each) * 100)
    expect(pennies).toBe(Math.round(each.totalPayable * 100))
  }
})
