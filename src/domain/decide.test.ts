import { expect, test } from 'vitest'
import { z } from 'zod'
import { decide, defineDomain } from './index.ts'
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
  expect(asked(switchOn(40, { type: 'explode' }))).toMatchObject({ refused: 'unknown_type' })
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

test('an event schema that validates later is a bug', () => {
  const { event, domain } = defineDomain<number>()
  const later = z.number().refine(async () => true)
  const counter = domain({
    name: 'counter',
    initial: 0,
    events: { count: event({ schema: later, by: [{ source: 'ui' }], reduce: (n) => n + 1 }) },
  })
  const proposal = { id: 'a', type: 'count', data: 1, origin: { source: 'ui', depth: 0 } } as const
  expect(() => decide(counter, 0, { proposal, now })).toThrow()
})

test('an event type of version 2 needs one upcast', () => {
  const { event } = defineDomain<number>()
  const entry = { schema: z.number(), by: [], reduce: (n: number) => n }
  expect(() => event({ ...entry, version: 2 })).toThrow('one upcast per old version')
})
