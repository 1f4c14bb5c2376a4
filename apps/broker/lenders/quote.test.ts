import { expect, test } from 'vitest'
import { quote } from './quote.ts'

const AT = '2026-03-02T10:00:00.000Z'

test('a quote holds the price of the lender that is asked first', () => {
  expect(quote(15_750, 120, AT)).toEqual({
    amount: 15_750,
    termMonths: 120,
    indicativeAprPct: 9.15,
    monthlyPayment: 197.71,
    totalPayable: 23_725.2,
    capturedAt: AT,
  })
})

test.each([
  [15_750, 84, { indicativeAprPct: 9.15, monthlyPayment: 251.71 }],
  [15_750, 144, { indicativeAprPct: 9.15, monthlyPayment: 177.36 }],
  [15_750, 180, { indicativeAprPct: 9.15, monthlyPayment: 157.77 }],
  [12_500, 120, { indicativeAprPct: 9.4, monthlyPayment: 158.47 }],
  [4_500, 84, { indicativeAprPct: 9.9, monthlyPayment: 73.5 }],
])('£%i over %i months is quoted at the published figures', (net, term, price) => {
  expect(quote(net, term, AT)).toMatchObject(price)
})

test.each([0, -1, Number.NaN, Infinity])('a net loan of %f is not quoted', (net) => {
  expect(() => quote(net, 120, AT)).toThrow('Cannot quote: the net loan is')
})

test.each([0, 12.5, Number.NaN])('a term of %f months is not quoted', (term) => {
  expect(() => quote(15_750, term, AT)).toThrow('Cannot quote: the term is')
})
