import { expect, test } from 'vitest'
import { customEvent } from '../activity/index.ts'
import type { LogRecord, NewEvent } from '../log/index.ts'
import { ENDED_KEPT_MAX, NO_DUE_WORK, REQUESTS_KEPT_MAX, dueWorkKey, foldDueWork } from './index.ts'

const system = { source: 'system', depth: 0 } as const
const requested = (effect: string, key: string): NewEvent => ({
  id: `asked ${effect} ${key}`,
  type: 'effect_requested',
  data: { effect, key },
})
const failed = (effect: string, key: string, more: object): NewEvent =>
  customEvent('effect_failed', { effect, key, message: 'down', ...more }, system)
const outcome = (effect: string, key: string, more: Partial<LogRecord> = {}): NewEvent => ({
  type: 'done',
  data: {},
  origin: { ...system, cause: `asked ${effect} ${key}` },
  ...more,
})

function folded(...events: readonly NewEvent[]) {
  const records = events.map((event, seq): LogRecord => {
    const stamped = { id: `r${seq}`, ts: 10 * seq, thread: 't', v: 1, prev: '', hash: '' }
    return { origin: system, ...stamped, ...event, seq }
  })
  const whole = foldDueWork(NO_DUE_WORK, records)
  const oneByOne = records.reduce((work, record) => foldDueWork(work, [record]), NO_DUE_WORK)
  expect(oneByOne).toEqual(whole)
  expect(JSON.parse(JSON.stringify(whole))).toEqual(whole)
  return whole
}

test('a request is known by name and key, until its own outcome', () => {
  const page = dueWorkKey({ name: 'page', key: 'i1' })
  const mail = dueWorkKey({ name: 'mail', key: 'i1' })
  const asked = [requested('page', 'i1'), requested('mail', 'i1')]
  expect(Object.keys(folded(...asked).requested)).toEqual([page, mail])
  const one = folded(...asked, outcome('mail', 'i1'))
  expect(one.requested[page]).toEqual({ id: 'asked page i1', seq: 0, ts: 0, failures: 0 })
  expect(one).toMatchObject({ ended: [mail] })
  expect(Object.keys(one.requested)).toEqual([page])
})

test('failures count by their attempt, and the final one ends the effect', () => {
  const [slot] = Object.keys(folded(requested('page', 'k')).requested)
  const twice = [failed('page', 'k', { attempt: 1 }), failed('page', 'k', { attempt: 2 })]
  const tried = folded(requested('page', 'k'), ...twice)
  expect(tried.requested[slot ?? '']).toMatchObject({ failures: 2, failedAt: 20 })
  const given = folded(
    requested('page', 'k'),
    ...twice,
    failed('page', 'k', { attempt: 3, final: true }),
  )
  expect(given).toEqual({ requested: {}, ended: [slot] })
  expect(folded(requested('page', 'k'), ...twice, outcome('page', 'k'), ...twice)).toEqual(given)
  expect(folded(requested('page', 'k'), outcome('page', 'k'), requested('page', 'k'))).toEqual(
    given,
  )
})

test('a refusal or a rule does not end an effect', () => {
  const cause = 'asked page k'
  const refused = outcome('page', 'k', { type: 'event_refused' })
  const ruled = outcome('page', 'k', { origin: { source: 'rule', depth: 0, cause } })
  expect(folded(requested('page', 'k'), refused, ruled).ended).toEqual([])
  expect(folded(failed('page', 'never asked', { attempt: 1 }))).toEqual(NO_DUE_WORK)
})

test('what a thread remembers of effects is bounded', () => {
  const keys = Array.from({ length: REQUESTS_KEPT_MAX + 5 }, (_, n) => `k${n}`)
  const open = folded(...keys.map((key) => requested('page', key)))
  expect(Object.keys(open.requested)).toHaveLength(REQUESTS_KEPT_MAX)
  expect(open.requested[dueWorkKey({ name: 'page', key: 'k4' })]).toBeUndefined()
  const all = keys.flatMap((key) => [requested('page', key), outcome('page', key)])
  const ended = folded(...all)
  expect(ended.requested).toEqual({})
  expect(ended.ended).toHaveLength(ENDED_KEPT_MAX)
  expect(ended.ended.at(-1)).toBe(dueWorkKey({ name: 'page', key: keys.at(-1) ?? '' }))
})
