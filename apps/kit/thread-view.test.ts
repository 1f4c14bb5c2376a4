import type { LogRecord } from 'throughline/client'
import { expect, test } from 'vitest'
import { CUT_RUNS_MAX } from '../../src/activity/index.ts'
import { DOMAIN_RECORDS_MAX, EMPTY_VIEW, foldView } from './thread-view.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

const record = (seq: number, type: string, data: LogRecord['data']) =>
  recordAt(seq, { id: `${seq}`, type, data })

test('facts of a domain are kept apart from agent activity, which becomes messages', () => {
  const view = [
    record(0, 'case_created', {}),
    record(1, 'TEXT_MESSAGE_START', { messageId: 'm', role: 'user' }),
    record(2, 'TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'Hello' }),
    record(5, 'TEXT_MESSAGE_END', { messageId: 'm' }),
  ].reduce(foldView, EMPTY_VIEW)
  expect(view.domainRecords.map(({ type }) => type)).toEqual(['case_created'])
  expect(view.conversation.messages.map(({ text }) => text)).toEqual(['Hello'])
})

test('a page keeps only the latest records of a long thread', () => {
  const records = Array.from({ length: DOMAIN_RECORDS_MAX + 3 }, (_, seq) => record(seq, 'x', {}))
  const kept = records.reduce(foldView, EMPTY_VIEW).domainRecords
  expect(kept).toHaveLength(DOMAIN_RECORDS_MAX)
  expect(kept[0]?.seq).toBe(3)
})

const run = (seq: number, what: string, outcome = 'success'): LogRecord => {
  const [type = '', name = ''] = what.split(' ')
  const ended = record(seq, type, { outcome: { type: outcome } })
  return { ...ended, origin: { source: 'system', depth: 0, run: name } }
}

test('[surfaces 7] the turn that runs is known from its start to its end, and those that were cut short after that', () => {
  const records = [
    run(0, 'RUN_STARTED a'),
    run(1, 'RUN_FINISHED a', 'cancelled'),
    run(2, 'RUN_STARTED b'),
    run(3, 'RUN_FINISHED b'),
    run(4, 'RUN_STARTED c'),
    run(5, 'RUN_ERROR c'),
    run(6, 'RUN_STARTED d'),
  ]
  const running = records.map((_, at) => {
    return records.slice(0, at + 1).reduce(foldView, EMPTY_VIEW).running
  })
  expect(running).toEqual(['a', undefined, 'b', undefined, 'c', undefined, 'd'])
  expect(records.reduce(foldView, EMPTY_VIEW).cuts).toEqual([
    { run: 'a', seq: 1, why: 'stopped' },
    { run: 'c', seq: 5, why: 'failed' },
  ])
})

test('[surfaces 7] a page keeps only the latest cuts of a long thread', () => {
  const records = Array.from({ length: CUT_RUNS_MAX + 2 }, (_, seq) =>
    run(seq, `RUN_FINISHED ${seq}`, 'cancelled'),
  )
  const { cuts } = records.reduce(foldView, EMPTY_VIEW)
  expect([cuts.length, cuts[0]?.seq]).toEqual([CUT_RUNS_MAX, 2])
})

test('[surfaces 44] a turn that failed leaves its answer open until another turn has ended', () => {
  const records = [
    run(0, 'RUN_STARTED a'),
    run(1, 'RUN_ERROR a'),
    run(2, 'RUN_STARTED b'),
    run(3, 'RUN_ERROR b'),
    run(4, 'RUN_STARTED c'),
    run(5, 'RUN_FINISHED c'),
  ]
  const open = records.map((_, at) => {
    return records.slice(0, at + 1).reduce(foldView, EMPTY_VIEW).unanswered
  })
  expect(open.map((each) => each?.run)).toEqual([undefined, 'a', 'a', 'b', 'b', undefined])
})

test('[M9] the end of a run says why it gave no reply', () => {
  const ends = (change: Partial<LogRecord>): LogRecord => ({ ...run(1, 'RUN_ERROR a'), ...change })
  const limited = (code: string): Partial<LogRecord> => ({
    type: 'RUN_FINISHED',
    data: { outcome: { type: 'cancelled' }, metadata: { throughline: { code } } },
  })
  const why = [{ data: { code: 'refused' } }, {}, limited('limit_day'), limited('limit')].map(
    (change) => foldView(EMPTY_VIEW, ends(change)).unanswered?.why,
  )
  expect(why).toEqual(['declined', 'failed', 'limited', 'failed'])
})

test('the outcome of an effect in a turn is unreported until another turn begins', () => {
  const outcome = (seq: number, name?: string): LogRecord => {
    const origin = { source: 'system', depth: 0, ...(name && { run: name }) } as const
    return { ...record(seq, 'waterfall_recorded', {}), origin }
  }
  const records = [
    outcome(0),
    run(1, 'RUN_STARTED a'),
    outcome(2, 'of the other side'),
    outcome(3, 'a'),
    run(4, 'RUN_FINISHED a'),
    run(5, 'RUN_STARTED b'),
  ]
  const unreported = records.map((_, at) => {
    return records.slice(0, at + 1).reduce(foldView, EMPTY_VIEW).unreported
  })
  expect(unreported).toEqual([undefined, undefined, undefined, 'a', 'a', undefined])
})

test('a restated reply that was cut off stays cut off, and its answer open until a whole message follows', () => {
  const end = (seq: number, cut?: string): LogRecord => {
    const metadata = cut === undefined ? {} : { metadata: { throughline: { cut } } }
    return record(seq, 'TEXT_MESSAGE_END', { messageId: `m${seq}`, ...metadata })
  }
  const records = [end(0), end(1, 'failed'), end(2), end(3, 'stopped'), end(4, 'failed')]
  const views = records.map((_, at) => records.slice(0, at + 1).reduce(foldView, EMPTY_VIEW))
  expect(views.map(({ unanswered }) => unanswered?.run)).toEqual([
    undefined,
    'm1',
    undefined,
    undefined,
    'm4',
  ])
  expect(views.at(-1)?.cuts).toEqual([
    { run: 'm1', seq: 1, why: 'failed' },
    { run: 'm3', seq: 3, why: 'stopped' },
    { run: 'm4', seq: 4, why: 'failed' },
  ])
})
