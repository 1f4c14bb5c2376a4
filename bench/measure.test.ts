import { expect, test } from 'vitest'
import type { Figures } from './benchmark.ts'
import {
  costAtMost,
  costBeside,
  costOver,
  faster,
  shareOf,
  yieldsAll,
  yieldsAtMost,
} from './goals.ts'
import { HEADINGS, rowOf, tableOf } from './table.ts'

const figures: Figures = new Map([
  [
    'ours',
    { costPerUnit: 20, timesOurs: 1, otherClock: { name: 'wall', timesOurs: 1 }, yielded: 3 },
  ],
  [
    'limit',
    { costPerUnit: 12, timesOurs: 0.6, otherClock: { name: 'wall', timesOurs: 0.5 }, yielded: 0 },
  ],
  [
    'peer',
    { costPerUnit: 40, timesOurs: 2, otherClock: { name: 'wall', timesOurs: 3 }, yielded: 1 },
  ],
])

test('a goal is met at its bound and not beyond it', () => {
  const goals = [
    [shareOf('limit', 0.6), shareOf('limit', 0.61)],
    [faster('peer', 2), faster('peer', 2.1)],
    [costBeside('peer', 0.5), costBeside('peer', 0.49)],
    [costAtMost(20), costAtMost(19)],
    [costOver('limit', 8), costOver('limit', 7)],
    [yieldsAtMost(3), yieldsAtMost(2)],
    [yieldsAll(3), yieldsAll(4)],
  ] as const
  expect(goals.map((pair) => pair.map((goal) => goal.isMet(figures)))).toEqual(
    goals.map(() => [true, false]),
  )
})

test('a goal beside a peer that was not measured is not met', () => {
  const goals = [shareOf('nobody', 0), faster('nobody', 0), costBeside('nobody', 9)]
  expect(goals.map((goal) => goal.isMet(figures))).toEqual([false, false, false])
})

test('a row of the table names the measure, the peer, and whether the goal is met', () => {
  const row = rowOf(
    {
      id: 'P0',
      what: 'nothing',
      unit: 'character',
      units: 1,
      yields: 'events',
      run: () => () => 3,
      limit: { name: 'limit', prepare: () => () => 0 },
      peers: [{ name: 'peer', prepare: () => () => 1 }],
      goals: [faster('peer', 2), costAtMost(10)],
    },
    figures,
  )
  const cells = [
    'P0',
    'nothing',
    '20.0 ns/character, 3 events',
    'limit 12.0 ns (0.600×, wall 0.500×)',
    'peer 40.0 ns (2.00×, wall 3.00×, 1 events)',
    '≥ 2 × peer, ≤ 10 ns',
    'yes, no',
  ]
  expect(row).toEqual(cells)
  const lines = tableOf(HEADINGS, [row]).split('\n')
  expect(lines[2]).toBe(`| ${cells.join(' | ')} |`)
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
})
