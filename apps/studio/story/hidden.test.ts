import { expect, test } from 'vitest'
import type { Json } from 'throughline/json'
import { HIDDEN, hideAt } from './hidden.ts'

const STATE = {
  contact: { name: 'Sarah', phones: ['07700 900 123'], home: { town: 'Swindon' } },
  email: { to: 'sarah@example.com', wanted: true },
  seq: 7,
}

test.each<[readonly string[], Json]>([
  [[], STATE],
  [['nothing.here', 'seq.below', 'constructor'], STATE],
  [['email.to'], { ...STATE, email: { to: HIDDEN, wanted: true } }],
  [
    ['contact', 'seq'],
    { ...STATE, contact: { name: HIDDEN, phones: HIDDEN, home: { town: HIDDEN } }, seq: HIDDEN },
  ],
])('hideAt %j hides the values there and keeps the names of their members', (paths, expected) => {
  expect(hideAt(STATE, paths)).toEqual(expected)
})

test.each(['text', ['text'], null, 1, true])('all of %j is hidden', (value) => {
  expect(hideAt(value, [''])).toBe(HIDDEN)
})
