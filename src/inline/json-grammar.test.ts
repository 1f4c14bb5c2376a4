import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJson } from './json-grammar.ts'

const PIECES =
  '{ } [ ] : , "a" "\\"" "\\u00e9" "\\u00g1" "\\x" "\u2028" 1 -1 - 01 0 1.5 1. .5 1e5 1e 1E+5 true tru null nul false x " \\ {} [] "b":1 {"a":1} [1,2] “'
    .split(' ')
    .concat([' ', '\n', '\t', '\r', '\v', '\u00a0', '"\n"', '"\u0001"', '"\\n"'])

test('the grammar accepts the same texts as JSON.parse', () => {
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.oneof(texts, fc.json(), fc.string()), (text) => {
      expect(isJson(text)).toBe(isAccepted(text))
    }),
    { numRuns: 20_000 },
  )
})

test('depth is no obstacle', () => {
  expect(isJson('['.repeat(100_000) + ']'.repeat(100_000))).toBe(true)
  expect(isJson('['.repeat(100_000) + '}'.repeat(100_000))).toBe(false)
})

function isAccepted(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
