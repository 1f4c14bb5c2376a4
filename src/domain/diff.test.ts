import fc from 'fast-check'
import { applyPatch } from 'fast-json-patch'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import type { Json } from '../json/index.ts'
import { diff } from './index.ts'
import type { Operation } from './index.ts'

/** Few keys and few values, so that two random states have much in common. */
const KEYS = ['a', 'b', 'c/d', '~e', '~1', '', '0', 'ünï', 'hasOwnProperty']
const states = fc.letrec<{ state: Json; list: Json[]; record: Record<string, Json> }>((tie) => ({
  state: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, '', 'x'),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('state'), { maxLength: 6 }),
  record: fc.dictionary(fc.constantFrom(...KEYS), tie('state'), { noNullPrototype: true }),
})).state
const lists = fc.array(states, { maxLength: 5 })

const RECORDS = Array.from({ length: 1_000 }, (_, index) => ({
  index,
  name: `n${index}`,
  on: true,
}))

/** Through text: a clone would keep one object in two places, and a patch would change it in both. */
function copy<T extends Json>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

function patched(before: Json, operations: readonly Operation[]): unknown {
  return applyPatch(copy(before), structuredClone([...operations]), true).newDocument
}

test('[J3] an independent applier turns one random state into another', () => {
  fc.assert(
    fc.property(states, states, (before, after) => {
      expect(patched(before, diff(before, after))).toEqual(after)
    }),
    { numRuns: timesInTier({ quick: 500, full: 2_000 }) },
  )
})

test('[J3] also where the states share their beginning, their end and their members', () => {
  fc.assert(
    fc.property(fc.tuple(lists, lists, lists, lists), ([start, end, before, after]) => {
      const old = { a: [...start, ...before, ...end], b: { c: start, d: before } }
      const next = { a: [...start, ...after, ...end], b: { c: start, d: after } }
      expect(patched(old, diff(old, next))).toEqual(next)
      expect(patched(old, diff(old, copy(next)))).toEqual(next)
    }),
    { numRuns: 500 },
  )
})

test('[J3] equal states differ in nothing, the same object or not', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(diff(state, state)).toEqual([])
      expect(diff(state, copy(state))).toEqual([])
    }),
  )
})

test.each([0, 1, 500, 998, 999])(
  '[J2] one insert into 1,000 items is one operation, at %i',
  (at) => {
    const longer = RECORDS.toSpliced(at, 0, { index: -1, name: 'new', on: false })
    expect(diff(RECORDS, longer)).toEqual([{ op: 'add', path: `/${at}`, value: longer[at] }])
    expect(diff(RECORDS, copy(longer))).toHaveLength(1)
  },
)

test.each([0, 1, 500, 998, 999])(
  '[J2] one removal from 1,000 items is one operation, at %i',
  (at) => {
    const shorter = RECORDS.toSpliced(at, 1)
    expect(diff(RECORDS, shorter)).toEqual([{ op: 'remove', path: `/${at}` }])
    expect(diff(copy(RECORDS), shorter)).toHaveLength(1)
  },
)

test('[J2] one changed item of 1,000 is one operation on its member', () => {
  const changed = RECORDS.with(500, { index: 500, name: 'other', on: true })
  const operation = { op: 'replace', path: '/500/name', value: 'other' }
  expect(diff(RECORDS, changed)).toEqual([operation])
})

test('[J2] ten times the items take about ten times as long', () => {
  const list = (length: number): Json => Array.from({ length }, (_, index) => ({ index }))
  const time = (length: number) => {
    const [before, after] = [list(length), [{ index: -1 }, ...RECORDS, 'x']]
    const runs = Array.from({ length: 5 }, () => {
      const start = performance.now()
      diff(before, copy(before))
      diff(before, after)
      return performance.now() - start
    })
    return Math.min(...runs)
  }
  time(2_000)
  expect(time(20_000)).toBeLessThan(Math.max(40 * time(2_000), 200))
})

test('an object that is the same on both sides is not compared', () => {
  const shared = new Proxy<Record<string, Json>>(
    { a: 1 },
    { ownKeys: () => expect.unreachable('looked into') },
  )
  const [before, after] = [
    { shared, list: [shared, 1] },
    { shared, list: [shared, 2] },
  ]
  expect(diff(before, after)).toEqual([{ op: 'replace', path: '/list/1', value: 2 }])
})

test('paths escape "~" and "/", and the root has the empty path', () => {
  const after = { 'a/b': 1, '~': { '~1/': 1 }, '': 1 }
  expect(diff({ '~': {} }, after).map(({ path }) => path)).toEqual(['/~0/~01~1', '/a~1b', '/'])
  expect(diff([], {})).toEqual([{ op: 'replace', path: '', value: {} }])
  expect(diff(null, 1)).toEqual([{ op: 'replace', path: '', value: 1 }])
})

test('an undefined member is absent', () => {
  const both = { a: undefined, b: 1, c: undefined, d: undefined }
  expect(diff(both, { b: undefined, c: 2, e: undefined })).toEqual([
    { op: 'remove', path: '/b' },
    { op: 'add', path: '/c', value: 2 },
  ])
  expect(diff([both, 1], [{ b: 1, e: undefined }, 1])).toEqual([])
})

test('an inherited name is not a member', () => {
  const before = { toString: 1 }
  expect(diff(before, {})).toEqual([{ op: 'remove', path: '/toString' }])
  expect(diff([{}], [before])).toEqual([{ op: 'add', path: '/0/toString', value: 1 }])
})
