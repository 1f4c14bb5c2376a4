import { expect, test } from 'vitest'
import { changesIn, reasonsIn } from './changes.ts'

test('a change has the value before and after, also in a list and under an escaped name', () => {
  const base = { status: 'open', 'a/b': [{ 'c~d': 1 }] }
  const ops = [
    { op: 'replace', path: '/status', value: 'closed' },
    { op: 'remove', path: '/a~1b/0/c~0d' },
    { op: 'add', path: '/plan', value: null },
  ]
  expect(changesIn({ base, changes: [{ seq: 3, ops }] }, 3)).toEqual([
    { kind: 'changed', path: '/status', before: 'open', after: 'closed' },
    { kind: 'removed', path: '/a~1b/0/c~0d', before: 1 },
    { kind: 'added', path: '/plan', before: undefined, after: null },
  ])
})

test('a record that changed nothing has no changes', () => {
  expect(changesIn({ base: {}, changes: [{ seq: 4, ops: [] }] }, 3)).toEqual([])
})

test('a reason names what the reader may see of its record', () => {
  const ops = [{ op: 'add', path: '/a', value: 1 }]
  const origin = { source: 'rule', rule: 'R1', depth: 0 }
  const shown = {
    seq: 7,
    ops,
    record: { id: 'x', type: 'paid', origin },
    cause: { seq: 5, type: 'asked' },
    said: { seq: 6, text: 'Yes <tag/>', tag: '<tag/>' },
    asked: { seq: 2, text: 'Pay' },
  }
  expect(reasonsIn({ reasons: [{ seq: 1, ops }, shown] })).toEqual([
    { seq: 1, changes: [{ kind: 'added', path: '/a', after: 1 }] },
    {
      seq: 7,
      changes: [{ kind: 'added', path: '/a', after: 1 }],
      origin,
      cause: 5,
      tag: '<tag/>',
      asked: { seq: 2, text: 'Pay' },
    },
  ])
})
