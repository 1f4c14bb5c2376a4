import { expect, test } from 'vitest'
import { valueAt } from './index.ts'

const document = { a: { 'b/c': [{ 'd~e': 1 }], '': null }, __proto__: 2 }

test.each([
  ['', document],
  ['/a/b~1c/0/d~0e', 1],
  ['/a/', null],
])('the value at %j', (pointer, value) => {
  expect(valueAt(document, pointer)).toEqual(value)
})

test.each([
  '/x',
  '/a/x/y',
  '/a/b~1c/1',
  '/a/b~1c/00',
  '/a/b~1c/length',
  '/a/b~1c/0/d~0e/f',
  '/constructor',
])('nothing is at %j', (pointer) => {
  expect(valueAt(document, pointer)).toBeUndefined()
})
