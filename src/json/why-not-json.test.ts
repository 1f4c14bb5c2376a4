import { expect, test } from 'vitest'
import { isPromise, kindOf, whyNotAtOnce, whyNotJson } from './index.ts'

class Money {
  readonly pence = 1
}
const circle: { inner: { self?: object } } = { inner: {} }
circle.inner.self = circle

test.each([
  [{ at: new Date(0) }, 'state.at is of the class Date'],
  [{ seen: [{ by: new Map() }] }, 'state.seen[0].by is of the class Map'],
  [{ price: new Money() }, 'state.price is of the class Money'],
  [{ later: Promise.resolve() }, 'state.later is of the class Promise'],
  [{ pence: 1n }, 'state.pence is of type bigint'],
  [{ total: Number.NaN }, 'state.total is NaN'],
  [{ total: -Infinity }, 'state.total is -Infinity'],
  [{ call: () => 1 }, 'state.call is of type function'],
  [{ tag: Symbol('x') }, 'state.tag is of type symbol'],
  [{ list: [1, undefined] }, 'state.list[1] is undefined'],
  // oxlint-disable-next-line no-sparse-arrays -- a gap becomes null in JSON
  [{ list: [1, , 2] }, 'state.list[1] is undefined'],
  [circle, 'state.inner.self holds itself'],
  [undefined, 'state is undefined'],
])('%o cannot be kept as JSON, and the path says where', (state, why) => {
  expect(whyNotJson(state, 'state')).toBe(why)
})

test('plain values, absent members and values met twice can be kept', () => {
  const shared = { n: -0 }
  const bare: object = Object.assign(Object.create(null), { n: 1 })
  expect(whyNotJson({ a: shared, b: [shared, bare, null], c: undefined }, 'state')).toBeUndefined()
})

test('parts that the value before shares are not looked at again', () => {
  const before = { old: new Date(0), list: [new Date(0)] }
  expect(whyNotJson({ ...before, n: 1 }, 'state', before)).toBeUndefined()
  expect(whyNotJson({ list: [...before.list, 1n] }, 'state', before)).toBe(
    'state.list[1] is of type bigint',
  )
})

test('a function is known by what it always returns, a value by its kind', () => {
  const late = [async () => 1, function* () {}, async function* () {}, 'x']
  expect(late.map((each) => whyNotAtOnce('guard', each))).toEqual([
    'its `guard` is async; it must return its result itself',
    'its `guard` is a generator; it must return its result itself',
    'its `guard` is a generator; it must return its result itself',
    'its `guard` must be a function, and is a string',
  ])
  expect(whyNotAtOnce('guard', () => 1) ?? whyNotAtOnce('guard', undefined)).toBeUndefined()
  expect([undefined, null, Number.NaN, [], {}, 'x', Promise.resolve()].map(kindOf)).toEqual([
    'undefined',
    'null',
    'NaN',
    'a list',
    'an object',
    'a string',
    'a promise',
  ])
  expect(isPromise(Promise.reject(new Error('nobody waits for it')))).toBe(true)
})
