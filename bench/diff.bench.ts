import fastJsonPatch from 'fast-json-patch'
import { create } from 'mutative'
import { createPatch } from 'rfc6902'
import { diff } from 'throughline'
import type { Benchmark } from './benchmark.ts'
import { makeThreeChanges, openCase, withOneInserted, withThreeChanges } from './case.fixture.ts'
import { costBeside, yieldsAtMost } from './goals.ts'

const FAST_JSON_PATCH = 'fast-json-patch'
const TENTHS = 'ten of a tenth'

const changes: Benchmark = {
  id: 'J1',
  what: 'change 3 fields in 5 KB of state and tell',
  unit: 'change',
  units: 1,
  yields: 'operations',
  run: () => () => diff(openCase, withThreeChanges(openCase)).length,
  peers: [
    {
      name: FAST_JSON_PATCH,
      prepare: () => () => fastJsonPatch.compare(openCase, withThreeChanges(openCase)).length,
    },
    {
      name: 'mutative',
      prepare: () => () => create(openCase, makeThreeChanges, { enablePatches: true })[1].length,
    },
    {
      name: 'rfc6902',
      prepare: () => () => createPatch(openCase, withThreeChanges(openCase)).length,
    },
  ],
  goals: [costBeside(FAST_JSON_PATCH, 1), costBeside('mutative', 0.45), costBeside('rfc6902', 0.2)],
}

export const diffs: readonly Benchmark[] = [
  changes,
  {
    ...insertion('J2', 1_000),
    peers: [
      {
        name: FAST_JSON_PATCH,
        prepare: () => {
          const [before, after] = withOneInserted(1_000)
          return () => fastJsonPatch.compare(before, after).length
        },
      },
      {
        name: 'rfc6902',
        prepare: () => {
          const [before, after] = withOneInserted(1_000)
          return () => createPatch(before, after).length
        },
      },
    ],
    goals: [yieldsAtMost(3), costBeside(FAST_JSON_PATCH, 0.1)],
  },
  {
    ...insertion('J2 longer', 10_000),
    peers: [{ name: TENTHS, prepare: diffTenTimes }],
    goals: [yieldsAtMost(3), costBeside(TENTHS, 1.5)],
  },
]

function insertion(id: string, count: number): Omit<Benchmark, 'peers' | 'goals'> {
  return {
    id,
    what: `one more in the middle of ${count.toLocaleString('en')}`,
    unit: 'diff',
    units: 1,
    yields: 'operations',
    run: () => {
      const [before, after] = withOneInserted(count)
      return () => diff(before, after).length
    },
  }
}

function diffTenTimes(): () => number {
  const [before, after] = withOneInserted(1_000)
  return () => {
    let operations = 0
    for (let time = 0; time < 10; time++) operations = diff(before, after).length
    return operations
  }
}
