import { expect, test } from 'vitest'
import type { ValueChange } from './changes.ts'
import { stepAt, stepsOf } from './watched.ts'

const reason = (seq: number, ...changes: ValueChange[]) => ({ seq, changes })
const changed = (path: string, after: ValueChange['after']): ValueChange => ({
  kind: 'changed',
  path,
  after,
})

test('a path has the value of the last record that set it', () => {
  const steps = stepsOf('/status', { status: 'new' }, [
    reason(3, changed('/status', 'open')),
    reason(7, changed('', { status: 'done' })),
    reason(8, { kind: 'removed', path: '/status' }),
  ])
  expect([0, 2, 3, 6, 7, 8, 99].map((seq) => stepAt(steps, seq)?.text)).toEqual([
    'new',
    'new',
    'open',
    'open',
    'done',
    '–',
    '–',
  ])
  expect(stepAt(steps, 3)?.seq).toBe(3)
})

test('a change below a watched path is marked, and one beside it is none', () => {
  const steps = stepsOf('/order', { order: { items: [] } }, [
    reason(1, changed('/order/items/0', 'tea')),
    reason(2, changed('/orders', 1)),
  ])
  expect(steps.map(({ seq, text }) => [seq, text])).toEqual([
    [-1, '{"items":[]}'],
    [1, '…'],
  ])
})

test('a long value is cut', () => {
  const [first] = stepsOf('/text', { text: 'x'.repeat(100) }, [])
  expect(first?.text).toHaveLength(40)
})
