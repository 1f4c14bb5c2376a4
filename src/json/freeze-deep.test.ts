import { expect, test } from 'vitest'
import { freezeDeep } from './index.ts'

/** Whether a write is refused everywhere in a value. */
function isFrozenDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFrozenDeep)
}

test('freezeDeep freezes plain objects and arrays with all that they hold', () => {
  const bare: { list: number[] } = Object.assign(Object.create(null), { list: [1] })
  const value = freezeDeep({ a: { b: [{ c: 1 }] }, bare, none: null })
  expect(isFrozenDeep(value)).toBe(true)
  expect(() => bare.list.push(2)).toThrow(TypeError)
})

test('freezeDeep walks values that are frozen already, and circular ones', () => {
  const shallow = Object.freeze({ inner: { list: [1] } })
  expect(isFrozenDeep(freezeDeep({ shallow }))).toBe(true)
  const own: { self?: object; list: number[] } = { list: [] }
  own.self = own
  freezeDeep(own)
  expect(Object.isFrozen(own.list)).toBe(true)
  freezeDeep({ own })
})

test('freezeDeep freezes the parts that a value does not share with the one before', () => {
  const before = freezeDeep({ kept: { a: 1 }, list: [{ at: 0 }, { at: 1 }] })
  const next = freezeDeep(
    { ...before, list: [{ at: 9 }, ...before.list], added: { b: {} } },
    before,
  )
  expect(isFrozenDeep(next)).toBe(true)
  expect(freezeDeep(next, next)).toBe(next)
  expect(isFrozenDeep(freezeDeep({ kept: [{}], list: { at: {} } }, before))).toBe(true)
})

test('freezeDeep leaves other objects as they are', () => {
  const value = freezeDeep({ map: new Map([['a', 1]]), bytes: new Uint8Array(2), at: new Date(0) })
  value.map.set('b', 2)
  value.bytes[0] = 7
  expect(value.map.size + (value.bytes[0] ?? 0)).toBe(9)
})
