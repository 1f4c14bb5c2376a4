import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LogRecord } from '../../../src/log/index.ts'
import type { Told } from '../story/index.ts'
import { matchedRows } from './matched-rows.ts'

const told = (type: string, sentence = type): Told => ({
  record: { type, origin: { source: 'ui', depth: 0 } } as unknown as LogRecord,
  weight: 'mattered',
  kind: 'event',
  sentences: [sentence],
  payload: null,
  by: { source: 'ui' } as Told['by'],
})

const shapeOf = (a: readonly Told[], b: readonly Told[]) =>
  matchedRows(a, b).map((row) => [row.kind, row.a?.sentences[0], row.b?.sentences[0]])

test('rows are matched by what they are, and told apart by what they say', () => {
  const a = [told('asked'), told('planned', 'Restart'), told('refused'), told('approved')]
  const b = [told('asked'), told('planned', 'Drain'), told('approved')]
  expect(shapeOf(a, b)).toEqual([
    ['equal', 'asked', 'asked'],
    ['changed', 'Restart', 'Drain'],
    ['removed', 'refused', undefined],
    ['equal', 'approved', 'approved'],
  ])
  expect(shapeOf([], [told('asked')])).toEqual([['added', undefined, 'asked']])
})

test('every row of both sides is shown once, in its order', () => {
  const side = fc.array(
    fc.constantFrom('a', 'b', 'c').map((type) => told(type)),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(side, side, (a, b) => {
      const rows = matchedRows(a, b)
      expect(rows.flatMap((row) => row.a ?? [])).toEqual(a)
      expect(rows.flatMap((row) => row.b ?? [])).toEqual(b)
    }),
  )
})
