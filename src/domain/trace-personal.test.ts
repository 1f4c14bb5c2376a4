import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { REDACTED } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import {
  RecordRedaction,
  TracedRedaction,
  defineDomain,
  evolve,
  evolveOthers,
  initialOthers,
} from './index.ts'
import type { AnyEventType, Domain } from './index.ts'

const source = [{ source: 'ui' }] as const
const at = { id: 'i', ts: 0, origin: { source: 'ui', depth: 0 }, v: 1, type: 'happened' } as const
const stored = { ...at, seq: 0, thread: 't', prev: 'p', hash: 'h' }

/** A domain of one event, and what a redacted reader sees of its state after some of them. */
function traced<Data extends Json>(
  initial: Json,
  reduce: (state: Json, data: Data) => Json,
  personal: readonly string[],
) {
  const { event, domain } = defineDomain<Json>()
  const happened = event({
    schema: z.any(),
    by: source,
    personal,
    reduce: (state, data) => reduce(state, data as Data),
  })
  const own = domain({ name: 'own', initial, events: { happened } })
  return (...events: readonly Data[]): Json => {
    const records = events.map((data) => ({ ...at, data }))
    let state: Json = own.initial
    let others = initialOthers(own)
    const redaction = new TracedRedaction()
    let shown: Json = null
    for (const record of records) {
      state = evolve(own, state, record)
      others = evolveOthers(own, others, record)
      shown = redaction.of(state, others)
    }
    // What it knows of earlier states changes nothing.
    expect(shown).toEqual(new TracedRedaction().of(state, others))
    return shown
  }
}

type Data = { readonly name: string; readonly age?: number; readonly ward?: string }

test('values are found where a reducer moves, changes, counts or compares them', () => {
  const see = traced<Data>(
    {},
    (_state, { name, age = 0, ward = '' }) => ({
      ward,
      people: [{ called: name.toUpperCase(), ward }],
      initials: name[0] ?? '',
      length: name.length,
      isAdult: age >= 18,
      hasName: name !== '',
      label: `${name} on ${ward}`,
    }),
    ['name', 'age'],
  )
  for (const age of [3, 40]) {
    expect(see({ name: 'Ada', age, ward: 'west' })).toEqual({
      ward: 'west',
      people: [{ called: REDACTED, ward: 'west' }],
      initials: REDACTED,
      length: REDACTED,
      isAdult: REDACTED,
      hasName: REDACTED,
      label: REDACTED,
    })
  }
})

test('a value that is the name of a member, or that decides whether there is one, does not show', () => {
  const see = traced<Data>(
    { kept: 1 },
    (state, { name, age = 0 }) => ({
      ...(state as object),
      [name]: age,
      ...(age >= 18 && { isAdult: true }),
    }),
    ['name', 'age'],
  )
  expect(see({ name: 'Ada', age: 3 })).toEqual({ kept: 1, [REDACTED]: REDACTED })
  expect(see({ name: 'Ada', age: 40 })).toEqual({ kept: 1, [REDACTED]: REDACTED })
})

test('where a reducer throws on another value, all that the event changed is personal, and nothing else', () => {
  const see = traced<Data>(
    { count: 0 },
    (state, { name, ward = '' }) => {
      if (name !== 'Ada') throw new RangeError(`Who is ${name}?`)
      return { ...(state as object), name, ward }
    },
    ['name'],
  )
  expect(see({ name: 'Ada', ward: 'west' })).toEqual({
    count: 0,
    [REDACTED]: REDACTED,
  })
})

test('a list whose length depends on a value is redacted as a whole, others item by item', () => {
  const see = traced<Data>(
    { visits: [], adults: [] },
    (state, { name, age = 0, ward = '' }) => {
      const { visits, adults } = state as { readonly visits: Json[]; readonly adults: Json[] }
      return {
        visits: [...visits, { name, ward }],
        adults: age >= 18 ? [...adults, ward] : adults,
      }
    },
    ['name', 'age'],
  )
  expect(see({ name: 'Ada', age: 40, ward: 'west' }, { name: 'Bob', ward: 'east' })).toEqual({
    visits: [
      { name: REDACTED, ward: 'west' },
      { name: REDACTED, ward: 'east' },
    ],
    adults: REDACTED,
  })
})

test('a `Map` and an instance of a class show nothing', () => {
  const see = traced<Data>(
    {},
    // The first fold is checked: it keeps the state as it is.
    (state, { name, ward }) =>
      ward === undefined
        ? state
        : ({ byName: new Map([[name, 1]]), since: new Date(0), ward } as unknown as Json),
    ['name'],
  )
  expect(see({ name: 'Ada' }, { name: 'Ada', ward: 'west' })).toEqual({
    byName: REDACTED,
    since: REDACTED,
    ward: 'west',
  })
})

test('older data is lifted before its members are redacted; data that cannot be lifted is redacted whole', () => {
  const { event, domain } = defineDomain<object>()
  const called = event({
    schema: z.any(),
    by: source,
    version: 2,
    upcasts: [(data) => ({ name: (data as { n: { text: string } }).n.text, ward: 'west' })],
    personal: ['name'],
    reduce: (state) => state,
  })
  const own = domain({ name: 'own', initial: {}, events: { called } })
  const redaction = new RecordRedaction(own as unknown as Domain<object>, [])
  const see = (v: number, data: Json) => {
    const shown = redaction.record({ ...stored, v, type: 'called', data })
    return [shown.v, shown.data]
  }
  expect(see(1, { n: { text: 'Ada' } })).toEqual([2, { name: REDACTED, ward: 'west' }])
  expect(see(2, { name: 'Ada', ward: 'east' })).toEqual([2, { name: REDACTED, ward: 'east' }])
  expect(see(1, { other: 'Ada' })).toEqual([1, REDACTED])
  expect(see(3, { name: 'Ada' })).toEqual([3, REDACTED])
})

const SECRET = 'Xanthippe'
const member = fc.constantFrom('name', 'note', 'contact', 'list', 'ward')
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(SECRET, `of ${SECRET}`, 'west', 12, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(member, tie('value'), { maxKeys: 3 }),
  ),
})).value
const clean = fc.constantFrom<Json>('west', 'east', 7, false, null)
/** Ways in which reducers keep data. */
const folds: readonly ((state: Json, data: Json) => Json)[] = [
  (_state, data) => data,
  (state, data) => ({ before: state, data }),
  (state, data) => (Array.isArray(state) ? [...(state as Json[]), data] : [data]),
  (_state, data) => JSON.stringify(data),
  (state, data) => ({ ...(state as object), ...(data as object) }),
  (_state, data) => ({ [JSON.stringify(data)]: true }),
  (_state, data) => JSON.stringify(data).split('').toReversed().join(''),
]

test('of any personal values in any events nothing shows in records and states, whatever the reducer keeps', () => {
  const data = fc.record({ name: value, contact: value, ward: clean })
  const steps = fc.array(data, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.constantFrom(...folds), steps, (fold, events) => {
      const personal = ['name', 'contact']
      const state = JSON.stringify(traced<Json>({}, fold, personal)(...events))
      const happened: Partial<AnyEventType<Json>> = { personal }
      const events_ = new Map([['happened', happened as AnyEventType<Json>]])
      const own = { events: events_, effects: [] } as unknown as Domain<Json>
      const redaction = new RecordRedaction(own, [])
      const records = events.map((each) => redaction.record({ ...stored, data: each }))
      const seen = `${state}${JSON.stringify(records)}`
      const secrets = [SECRET, SECRET.split('').toReversed().join('')]
      return secrets.every((secret) => !seen.includes(secret))
    }),
    { numRuns: 500 },
  )
})
