import { expect, test } from 'vitest'
import type { LogRecord } from 'throughline/client'
import { densityOf, nearestRow, pauseBetween } from './scrub.ts'
import type { Told } from './story/index.ts'

const row = (seq: number, ts = seq): Told => ({ record: { seq, ts } as LogRecord }) as Told
const rows = [row(2), row(5), row(9)]

test.each([
  [{ at: 2, value: 3 }, 5],
  [{ at: 5, value: 4 }, 2],
  [{ at: 5, value: 9 }, 9],
  [{ at: 9, value: 20 }, 9],
  [{ at: 2, value: 0 }, 2],
  [{ at: 2, value: 2 }, 2],
])('a step of the scrubber, %j, selects the next row in its direction', (step, seq) => {
  expect(nearestRow(rows, step)).toBe(seq)
})

test('a timeline without rows has nothing to select', () => {
  expect(nearestRow([], { at: 0, value: 3 })).toBeUndefined()
  expect(densityOf([], 0).every((share) => share === 0)).toBe(true)
})

test('the fullest part of a thread has the highest bar', () => {
  const shares = densityOf([row(0), row(1), row(99)], 99)
  expect(shares[0]).toBe(1)
  expect(Math.max(...shares)).toBe(1)
  expect(shares.at(-1)).toBeGreaterThan(0)
})

test.each([
  ['a wait is cut short', [0, 60_000], { speed: 1, skipsWaits: true }, 1_500],
  ['a wait is played when it is asked for', [0, 60_000], { speed: 4, skipsWaits: false }, 15_000],
  ['what came at once is still seen', [0, 0], { speed: 16, skipsWaits: true }, 80],
  ['a clock that went back makes no time', [9, 0], { speed: 1, skipsWaits: true }, 80],
] as const)('%s', (...[, [from, to], pace, ms]) => {
  expect(pauseBetween(row(0, from), row(1, to), pace)).toBe(ms)
})
