import { expect, test } from 'vitest'
import type { LogRecord } from '../log/index.ts'
import { CUT_RUNS_MAX, cutReplies, foldCuts } from './cut-runs.ts'
import type { CutRun } from './cut-runs.ts'
import type { SpokenMessage } from './message.ts'

const record = (seq: number, event: Pick<LogRecord, 'type' | 'data'>, run?: string) =>
  ({ seq, ...event, origin: { source: 'system', depth: 0, ...(run && { run }) } }) as LogRecord

const finished = (data: LogRecord['data']) => ({ type: 'RUN_FINISHED', data })

const reply = (id: string, run?: string): SpokenMessage => ({
  id,
  role: 'assistant',
  ...(run !== undefined && { run }),
  seq: 0,
  ts: 0,
  text: 'x',
  status: 'complete',
})

const cancelled = finished({ outcome: { type: 'cancelled' } })
const none: readonly CutRun[] = []

test('a run that fails, is stopped or ends at a limit of its model is cut', () => {
  const cuts = [
    record(1, { type: 'RUN_ERROR', data: { message: 'no', code: 'model_failed' } }, 'a'),
    record(2, cancelled, 'b'),
    record(3, finished({ metadata: { throughline: { cut: 'length' } } }), 'c'),
    record(4, finished({ outcome: { type: 'success' } }), 'd'),
  ].reduce(foldCuts, none)
  expect(cuts).toEqual([
    { run: 'a', seq: 1, why: 'failed' },
    { run: 'b', seq: 2, why: 'stopped' },
    { run: 'c', seq: 3, why: 'length' },
  ])
})

test('a failure cuts every reply of its run, a stop only the last one', () => {
  const replies = [reply('1', 'a'), reply('2', 'a'), reply('3', 'b'), reply('4', 'b')]
  const cuts: readonly CutRun[] = [
    { run: 'a', seq: 5, why: 'failed' },
    { run: 'b', seq: 9, why: 'stopped' },
  ]
  expect([...cutReplies(replies, cuts)]).toEqual([
    ['1', 'failed'],
    ['2', 'failed'],
    ['4', 'stopped'],
  ])
})

test('a message that a recovery restated keeps its own mark', () => {
  const data = { messageId: 'm', metadata: { throughline: { cut: 'failed' } } }
  const cuts = foldCuts([], record(1, { type: 'TEXT_MESSAGE_END', data }))
  expect([...cutReplies([reply('m')], cuts)]).toEqual([['m', 'failed']])
})

test('only the newest cut runs are kept', () => {
  const all = Array.from({ length: CUT_RUNS_MAX + 2 }, (_, seq) =>
    record(seq, cancelled, `r${seq}`),
  )
  const cuts = all.reduce(foldCuts, none)
  expect([cuts.length, cuts[0]?.seq]).toEqual([CUT_RUNS_MAX, 2])
})
