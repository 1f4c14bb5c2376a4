import { expect, test } from 'vitest'
import { z } from 'zod'
import { decide, defineDomain } from './index.ts'
import type { Authority } from './index.ts'
import { lamp, switchOn } from './lamp.fixture.ts'

const now = 1_000
const asked = (proposal = switchOn(40), state = lamp.initial, typed = false) =>
  decide(lamp, state, { proposal, now, typed })

test('an accepted proposal is stamped and completed with what only the server knows', () => {
  expect(asked()).toEqual({
    accepted: {
      id: 'proposal',
      ts: now,
      type: 'switch_on',
      data: { watts: 40, from: 0 },
      origin: { source: 'ui', surface: 'wall', depth: 0 },
      v: 2,
    },
  })
})

test('[S10] a type that the domain does not know is refused', () => {
  expect(asked(switchOn(40, { type: 'explode' }))).toEqual({
    refused: 'unknown_type',
    detail: '"explode" is not an event of lamp: it has "switch_on", "report", "replace"',
  })
})

test('a payload that does not fit its schema is refused, and the refusal says where', () => {
  const refusal = asked(switchOn(4_000))
  expect(refusal).toMatchObject({ refused: 'invalid_payload' })
  expect(refusal).toHaveProperty('detail', expect.stringContaining('watts'))
})

test('a payload that is no object at all names no field', () => {
  const refusal = asked(switchOn(1, { data: 'on' }))
  expect(refusal).toMatchObject({ refused: 'invalid_payload' })
  expect(refusal).toHaveProperty('detail', expect.not.stringContaining(':  '))
})

test('a refused payload lists the choices that its schema has', () => {
  const { event, domain } = defineDomain<number>()
  const schema = z.object({
    level: z.enum(['low', 'high']),
    kind: z.enum(['a', 'b'], 'Choose a kind').default('a'),
    by: z.union([z.literal('page'), z.int()]).default(1),
  })
  const count = event({ schema, by: [{ source: 'ui' }], reduce: (n) => n + 1 })
  const counter = domain({ name: 'counter', initial: 0, events: { count } })
  const detail = (data: unknown) => {
    const proposal = { ...switchOn(1), type: 'count', data }
    const decision = decide(counter, 0, { proposal, now })
    return 'refused' in decision ? decision.detail : ''
  }
  expect(detail({ level: 'mid' })).toBe('level: Invalid option: expected one of "low"|"high"')
  expect(detail({ level: 'low', kind: 'c' })).toBe('kind: Choose a kind: one of "a", "b"')
  expect(detail({ level: 'low', by: true })).toBe(
    'by: Invalid input: expected "page", or expected number, received boolean',
  )
})

test('[S10] a refusal of authority names the source, the surface and the allowed sources', () => {
  const { event, domain } = defineDomain<number>()
  const entry = (by: readonly Authority<number, unknown>[]) =>
    event({ schema: z.unknown(), by, reduce: (n) => n })
  const desk = domain({
    name: 'desk',
    initial: 0,
    events: {
      reported: entry([{ source: 'remote' }]),
      settled: entry([{ source: 'ui', surface: 'desk' }, { source: 'system' }]),
      closed: entry([{ source: 'ui', when: () => false }]),
      never: entry([]),
    },
  })
  const detail = (type: string) => {
    const origin = { source: 'ui', surface: 'tablet', depth: 0 } as const
    const decision = decide(desk, 0, { proposal: switchOn(1, { type, origin }), now })
    return 'refused' in decision ? decision.detail : ''
  }
  const denied = (type: string) => `"ui" on "tablet" may not propose "${type}"`
  expect(detail('reported')).toBe(`${denied('reported')}: only "remote" may`)
  expect(detail('settled')).toBe(`${denied('settled')}: only "ui" on "desk" or "system" may`)
  expect(detail('closed')).toBe(
    `${denied('closed')} now: the data, the state or the turn does not meet its condition`,
  )
  expect(detail('never')).toBe(`${denied('never')}: nobody may`)
})

test.each([
  ['rule', undefined],
  ['ui', 'door'],
  ['ui', undefined],
] as const)('authority is by source and surface: %s on %s may not', (source, surface) => {
  const origin = { source, depth: 0, ...(surface ? { surface } : {}) }
  expect(asked(switchOn(40, { origin }))).toMatchObject({ refused: 'not_authorised' })
})

test('authority can depend on the payload and on whether a person wrote', () => {
  const model = (watts: number) => switchOn(watts, { origin: { source: 'model', depth: 0 } })
  expect(asked(model(40), lamp.initial, true)).toHaveProperty('accepted')
  expect(asked(model(40), lamp.initial, false)).toMatchObject({ refused: 'not_authorised' })
  expect(asked(model(50), lamp.initial, true)).toMatchObject({ refused: 'not_authorised' })
})

test('a guard on the state refuses with its own reason', () => {
  const refusal = asked(switchOn(40), { ...lamp.initial, broken: true })
  expect(refusal).toEqual({ refused: 'locked', detail: 'the lamp is broken' })
})

test.each([
  ['false', () => false],
  ['null', () => null],
  ['a text', () => 'the lamp is broken'],
])('a guard that returns %s accepts nothing, and the error says what to return', (_, guard) => {
  const { event, domain } = defineDomain<number>()
  const count = event({
    schema: z.object({}),
    by: [{ source: 'ui' }],
    // A program that runs without a type check can have such a guard.
    guard: guard as unknown as () => undefined,
    reduce: (n) => n + 1,
  })
  const counter = domain({ name: 'counter', initial: 0, events: { count } })
  const proposal = { ...switchOn(1), type: 'count', data: {} }
  expect(() => decide(counter, 0, { proposal, now })).toThrow(
    'Cannot decide "count": its guard must return undefined to accept, or { refused, detail }',
  )
})

test('an event schema that validates later is a bug', () => {
  const { event, domain } = defineDomain<number>()
  const later = z.number().refine(async () => true)
  const counter = domain({
    name: 'counter',
    initial: 0,
    events: { count: event({ schema: later, by: [{ source: 'ui' }], reduce: (n) => n + 1 }) },
  })
  const proposal = { id: 'a', type: 'count', data: 1, origin: { source: 'ui', depth: 0 } } as const
  expect(() => decide(counter, 0, { proposal, now })).toThrow(
    'Cannot decide: an event schema returned a promise; it must answer synchronously',
  )
})

// A program that runs without a type check can have such functions.
test.each([
  ['guard', { guard: () => Promise.resolve() }, 'the guard of "count"'],
  ['complete', { complete: () => Promise.resolve({}) }, 'the `complete` of "count"'],
  ['when', { by: [{ source: 'ui', when: () => Promise.resolve(false) }] }, 'a `when` of "count"'],
])('a %s that returns a promise lets nobody in', (_part, part, what) => {
  const { event, domain } = defineDomain<number>()
  const entry = { schema: z.object({}), by: [{ source: 'ui' }], reduce: (n: number) => n, ...part }
  const count = event(entry as unknown as Parameters<typeof event>[0])
  const counter = domain({ name: 'counter', initial: 0, events: { count } })
  const proposal = { ...switchOn(1), type: 'count', data: {} }
  expect(() => decide(counter, 0, { proposal, now })).toThrow(
    `Cannot decide: ${what} returned a promise; it must answer synchronously`,
  )
})

test('a guard that refuses with a reason that there is not is a bug', () => {
  const { event, domain } = defineDomain<number>()
  const guard = () => ({ refused: 'too_late', detail: 'x' }) as unknown as undefined
  const count = event({ schema: z.object({}), by: [{ source: 'ui' }], guard, reduce: (n) => n })
  const counter = domain({ name: 'counter', initial: 0, events: { count } })
  const proposal = { ...switchOn(1), type: 'count', data: {} }
  expect(() => decide(counter, 0, { proposal, now })).toThrow(
    'it returned the reason "too_late", and `refused` is one of "unknown_type", "invalid_payload"',
  )
})
