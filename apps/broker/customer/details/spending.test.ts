import { expect, test } from 'vitest'
import { spendsAboveIncome } from './spending.ts'

test.each([
  ['12000', '1000', false],
  ['12000', '1000.01', true],
  ['£12,000', '1,200', true],
  ['', '1200', false],
  ['12000', '', false],
  ['twelve', '1200', false],
])(
  'an income of "%s" a year and "%s" spent a month: a note %s',
  (annualIncome, monthlyOutgoings, note) => {
    expect(spendsAboveIncome({ annualIncome, monthlyOutgoings })).toBe(note)
  },
)
