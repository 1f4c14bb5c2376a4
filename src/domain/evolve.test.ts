import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { decide, defineDomain, evolve, replay } from './index.ts'
import { lamp, switchOn } from './lamp.fixture.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

const stored = (seq: number, more: Partial<LogRecord> = {}) =>
  recordAt(seq, { type: 'switch_on', data: { watts: 40, from: 0 }, v: 2, ...more })

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

/** A domain whose only reducer gives states as a program without types may. */
function made(reduce: unknown) {
  const { event, domain } = defineDomain<object>()
  const made = event({ schema: z.object({}), by: [], reduce: reduce as (state: object) => object })
  return domain({ name: 'made', initial: {}, events: { made } })
}

test.each([
  [() => Promise.resolve({}), 'its reducer returned a promise; return the next state itself'],
  [
    () => ({ paid: [{ at: new Date(0) }] }),
    'its reducer returned what JSON cannot hold: state.paid[0].at is of the class Date; ' +
      'keep texts, finite numbers, true, false, null, lists and plain objects',
  ],
])('a state that JSON cannot hold is refused when it is first folded: %#', (reduce, why) => {
  const fold = () => evolve(made(reduce), {}, stored(0, { type: 'made', v: 1 }))
  expect(fold).toThrow(
    expect.objectContaining({ code: 'invalid_state', message: `Cannot fold "made": ${why}` }),
  )
})

test('a state is checked at the first fold of each event type, and not again', () => {
  let folds = 0
  const domain = made(() => ({ at: folds++ === 0 ? 0 : new Date(0) }))
  const record = stored(0, { type: 'made', v: 1 })
  expect(evolve(domain, evolve(domain, {}, record), record)).toEqual({ at: new Date(0) })
})

test('a state that begins with what JSON cannot hold is refused where it is defined', () => {
  const initial: object = { seen: new Map() }
  expect(() => defineDomain<object>().domain({ name: 'd', initial, events: {} })).toThrow(
    expect.objectContaining({
      code: 'invalid_state',
      message:
        'Cannot define domain "d": its state begins with what JSON cannot hold: initial.seen is of the ' +
        'class Map; keep texts, finite numbers, true, false, null, lists and plain objects',
    }),
  )
})

test.each([
  [() => Promise.resolve({}), ' returned a promise; return data of version 2'],
  [() => undefined, ' returned undefined; return data of version 2'],
  [(data: { of: { n: number } }) => ({ n: data.of.n }), ' threw'],
])('an upcast that fails names the type, the version and the seq: %#', (upcast, why) => {
  const { event, domain } = defineDomain<object>()
  const parts = { schema: z.object({}), by: [], reduce: (state: object) => state, version: 3 }
  const upcasts = [upcast, (data: object) => data] as unknown as ((data: Json) => Json)[]
  const lifting = domain({
    name: 'lifting',
    initial: {},
    events: { made: event({ ...parts, upcasts }) },
  })
  const fold = () => evolve(lifting, {}, stored(7, { type: 'made', v: 1 }))
  expect(fold).toThrow(
    expect.objectContaining({
      code: 'invariant',
      message: `Cannot fold the record "made" with seq 7: its upcast from version 1${why}`,
    }),
  )
})

test('a reducer that throws on lifted data names the type, the version and the seq', () => {
  const { event, domain } = defineDomain<number>()
  const made = event({
    schema: z.object({ by: z.object({ n: z.number() }) }),
    by: [],
    reduce: (n, { by }) => n + by.n,
    version: 2,
    upcasts: [() => ({ n: 1 })],
  })
  const lifting = domain({ name: 'lifting', initial: 0, events: { made } })
  expect(() => evolve(lifting, 0, stored(7, { type: 'made', v: 1 }))).toThrow(
    'Cannot fold the record "made" with seq 7: its reducer threw on data lifted from version 1',
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
