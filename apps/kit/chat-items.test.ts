import type { SpokenMessage } from 'throughline/client'
import { expect, test } from 'vitest'
import { chatItems } from './chat-items.ts'

const said = (seq: number, role: 'user' | 'assistant', run?: string): SpokenMessage => ({
  id: `m${seq}`,
  role,
  ...(run === undefined ? {} : { run }),
  seq,
  ts: 0,
  text: 'x',
  status: 'complete',
})

const shown = (...given: Parameters<typeof chatItems>) =>
  chatItems(...given).map((item) =>
    item.kind === 'message' ? `${item.message.id} ${item.end}` : `silence ${item.key}`,
  )

test('[surfaces 7] the last message of a stopped turn is marked as stopped', () => {
  const messages = [said(1, 'user', 'a'), said(2, 'assistant', 'a'), said(4, 'assistant', 'a')]
  expect(shown(messages, [{ run: 'a', seq: 5, why: 'stopped' }])).toEqual([
    'm1 whole',
    'm2 whole',
    'm4 stopped',
  ])
  expect(shown(messages, [])).toEqual(['m1 whole', 'm2 whole', 'm4 whole'])
})

test('[surfaces 7] a turn that was stopped before anything was said leaves a line where it stood', () => {
  const messages = [said(1, 'user', 'a'), said(9, 'user', 'b')]
  expect(shown(messages, [{ run: 'a', seq: 3, why: 'stopped' }])).toEqual([
    'm1 whole',
    'silence a',
    'm9 whole',
  ])
  expect(shown([], [{ run: 'a', seq: 3, why: 'stopped' }])).toEqual(['silence a'])
})

test('[surfaces 44] the text of a failed turn is marked; a turn without text leaves no line', () => {
  const messages = [
    said(1, 'user', 'a'),
    said(2, 'assistant', 'a'),
    said(3, 'assistant', 'a'),
    said(5, 'user', 'b'),
  ]
  const cuts = [
    { run: 'a', seq: 4, why: 'failed' },
    { run: 'b', seq: 6, why: 'failed' },
  ] as const
  expect(shown(messages, cuts)).toEqual(['m1 whole', 'm2 failed', 'm3 failed', 'm5 whole'])
})

test('a restated reply that was cut off is marked, without a run', () => {
  const messages = [said(1, 'user'), said(2, 'assistant'), said(3, 'assistant')]
  const cuts = [{ run: 'm3', seq: 4, why: 'failed' }] as const
  expect(shown(messages, cuts)).toEqual(['m1 whole', 'm2 whole', 'm3 failed'])
})

test('the last message of a turn that reached its model’s limit is marked as cut', () => {
  const messages = [said(1, 'user', 'a'), said(2, 'assistant', 'a'), said(4, 'assistant', 'a')]
  expect(shown(messages, [{ run: 'a', seq: 5, why: 'length' }])).toEqual([
    'm1 whole',
    'm2 whole',
    'm4 length',
  ])
})
