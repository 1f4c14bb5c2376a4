import { expect, test } from 'vitest'
import { budgetOf } from './budget.ts'

test.each([
  ['', 'none'],
  ['  ', 'none'],
  ['25', 25],
  ['12.50', 12.5],
  ['0', 'invalid'],
  ['-3', 'invalid'],
  ['1e9', 'invalid'],
  ['ten', 'invalid'],
  ['1.234', 'invalid'],
] as const)('the budget "%s" is %s', (text, budget) => {
  expect(budgetOf(text)).toBe(budget)
})
