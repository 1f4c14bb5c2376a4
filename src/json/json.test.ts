import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { endOf, equalJson, isJson, quotedNames, startOf } from './index.ts'
import type { Json } from './index.ts'

const anything = fc.anything({ withDate: true, withMap: true, withSparseArray: true })

test('a value is JSON when the text of it parses to an equal value', () => {
  fc.assert(
    fc.property(anything, (value) => {
      // A value without a JSON text, such as a function, parses to nothing.
      fc.pre(!hasBigInt(value))
      const parsed: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
      expect(isJson(value)).toBe(isDeepStrictEqual(parsed, value))
    }),
  )
})

test('names of a message are quoted, and no names give no text', () => {
  expect(quotedNames(new Set(['a', 'b']))).toBe('"a", "b"')
  expect(quotedNames([])).toBe('')
})

test('values are equal whatever the order of their members, and a member that is undefined is absent', () => {
  expect(equalJson({ a: 1, b: [2] }, { b: [2], a: 1, c: undefined })).toBe(true)
  expect(equalJson({ a: 1 }, { a: 1, b: null })).toBe(false)
  expect(equalJson([1, 2], [2, 1])).toBe(false)
  expect(equalJson({ toString: 1 } as Json, {})).toBe(false)
})

function hasBigInt(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return false
  } catch (error) {
    if (error instanceof TypeError) return true
    throw error
  }
}

test('a cut is at the edge of a character, and half a character becomes U+FFFD', () => {
  const faces = '\u{1F600}\u{1F600}'
  const cuts = [0, 1, 2, 3, 4, 5]
  expect(cuts.map((max) => startOf(faces, max).length)).toEqual([0, 0, 2, 2, 4, 4])
  expect(cuts.map((max) => endOf(faces, max).length)).toEqual([0, 0, 2, 2, 4, 4])
  expect([startOf('a\uD83D', 5), endOf('\uDE00a', 5)]).toEqual(['a\uFFFD', '\uFFFDa'])
})
