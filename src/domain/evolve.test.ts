import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { LogRecord } from '../log/index.ts'
import { decide, defineDomain, evolve, replay } from './index.ts'
import { lamp, switchOn } from './lamp.fixture.ts'

const stored = (seq: number, more: Partial<LogRecord> = {}): LogRecord => ({
  seq,
  id: `id-${seq}`,
  thread: 't',
  ts: seq,
  type: 'switch_on',
  data: { watts: 40, from: 0 },
  origin: { source: 'ui', depth: 0 },
  v: 2,
  prev: '',
  hash: '',
  ...more,
})

test('[A081] a type that this reader does not know leaves the state alone', () => {
  expect(evolve(lamp, lamp.initial, stored(0, { type: 'later' }))).toBe(lamp.initial)
})

test('[A082] data of an old version is lifted before it is folded', () => {
  const state = evolve(lamp, lamp.initial, stored(0, { v: 1, data: 25 }))
  expect(state).toMatchObject({ lit: true, watts: 25 })
})

test('a record from a newer version of the domain is not guessed at', () => {
  expect(() => evolve(lamp, lamp.initial, stored(0, { v: 3 }))).toThrow('version 3 is newer than 2')
})

test('a reducer that returns nothing is a bug that shows itself', () => {
  const { event, domain } = defineDomain<number>()
  // A program that runs without a type check can have such a reducer.
  const reduce = (() => undefined) as unknown as () => number
  const count = event({ schema: z.object({}), by: [{ source: 'ui' }], reduce })
  const counter = domain({ name: 'counter', initial: 0, events: { count } })
  expect(() => evolve(counter, 0, stored(0, { type: 'count', v: 1 }))).toThrow(
    'Cannot fold "count": its reducer returned undefined; return the next state',
  )
})

test('replay refuses a log with a gap', () => {
  expect(() => replay(lamp, [stored(0), stored(2)])).toThrow('expected seq 1, got 2')
})

test('[S5] replaying the accepted events gives the live state', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -10, max: 110 }), { maxLength: 30 }), (commands) => {
      let live = lamp.initial
      const records: LogRecord[] = []
      for (const watts of commands) {
        const decision = decide(lamp, live, { proposal: switchOn(watts), now: watts })
        if ('refused' in decision) continue
        live = evolve(lamp, live, decision.accepted)
        records.push(stored(records.length, decision.accepted))
      }
      expect(replay(lamp, records)).toEqual(live)
    }),
  )
})
