import type { LogRecord, Origin } from 'throughline'
import { expect, test } from 'vitest'
import { given } from './given-case.fixture.ts'
import { CASE_IN } from './journey.fixture.ts'
import { recordView } from './record-view.ts'

const counterCase = given(...CASE_IN.awaiting_counter_decision)

function record(type: string, data: LogRecord['data'], origin: Partial<Origin> = {}): LogRecord {
  return {
    seq: 3,
    id: 'r',
    thread: 'case-1',
    ts: 0,
    type,
    data,
    origin: { source: 'system', depth: 0, ...origin },
    v: 1,
    prev: 'p',
    hash: 'h',
  }
}

test('[E11] an installer gets its own facts whole, status changes bare, and nothing else', () => {
  const seen = counterCase.records.flatMap((each) => recordView(each, 'installer') ?? [])
  const whole = seen.filter(({ data }) => JSON.stringify(data) !== '{}').map(({ type }) => type)
  expect(whole).toEqual(['record_project_facts', 'record_customer_contact'])
  expect(seen.map(({ type }) => type)).toEqual([
    'case_created',
    'record_project_facts',
    'record_customer_contact',
    'generate_customer_link',
    'installer_handoff_complete',
    'acknowledge_disclosure',
    'record_eligibility',
    'record_personal_facts',
    'record_financial_facts',
    'acknowledge_disclosure',
    'acknowledge_disclosure',
    'submit_application',
    'waterfall_recorded',
  ])
})

test('[E11] a customer gets every event of the case, without reasons', () => {
  const seen = counterCase.records.flatMap((each) => recordView(each, 'customer') ?? [])
  expect(seen.map(({ type }) => type)).toEqual(counterCase.records.map(({ type }) => type))
  expect(JSON.stringify(seen)).not.toMatch(/INCOME_BELOW_MINIMUM|HIGHER_APR/)
})

const HIDDEN = [
  'event_refused',
  'effect_requested',
  'request_decision',
  'journey_idle',
  'CUSTOM',
  'STEP_STARTED',
  'STEP_FINISHED',
  'REASONING_START',
  'REASONING_MESSAGE_CONTENT',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_RESULT',
  'STATE_SNAPSHOT',
  'SUBAGENT_STARTED',
  'constructor',
  '__proto__',
  'a_type_of_next_year',
]
test.each(HIDDEN)('[E11] %s is hidden from both sides, and not from those who audit', (type) => {
  for (const surface of ['installer', 'customer'] as const) {
    const hidden = record(type, { secret: 1 }, { surface })
    expect(recordView(hidden, surface)).toBeUndefined()
    expect(recordView(hidden, 'auditor')).toBe(hidden)
    expect(recordView(hidden, 'operator')).toBe(hidden)
  }
})

test.each([
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
])('[E11] %s is seen on its own surface only', (type) => {
  const mine = record(type, { messageId: 'm', delta: 'hello' }, { surface: 'customer' })
  expect(recordView(mine, 'customer')?.type).toBe(type)
  expect(recordView(mine, 'installer')).toBeUndefined()
  expect(recordView(record(type, {}), 'customer')).toBeUndefined()
})

test('[E11] a side sees the start and the outcome of a run, but neither its cost nor its error', () => {
  const names = { threadId: 't', runId: 'r' }
  const own = { surface: 'customer' }
  const ended = record('RUN_FINISHED', { ...names, usage: [{ inputTokens: 9 }] }, own)
  expect(recordView(ended, 'customer')?.data).toEqual(names)
  const failed = record('RUN_ERROR', { message: 'sk-123 is over quota', code: 'provider' }, own)
  expect(recordView(failed, 'customer')?.data).toEqual({
    message: 'The assistant could not answer',
  })
  const declined = record('RUN_ERROR', { message: 'x', code: 'refused' }, own)
  expect(recordView(declined, 'customer')?.data).toMatchObject({ code: 'refused' })
  const limited = (code: string) =>
    record(
      'RUN_FINISHED',
      { ...names, outcome: { type: 'cancelled' }, metadata: { throughline: { code, until: 9 } } },
      own,
    )
  expect(
    ['limit_day', 'limit_calls'].map((code) => recordView(limited(code), 'customer')?.data),
  ).toMatchObject([
    { metadata: { throughline: { code: 'limit_day' } } },
    { metadata: { throughline: { code: 'limit' } } },
  ])
})

test('[E11] a side sees which of its own clicks were refused and why, and no other refusal', () => {
  const data = { type: 'withdraw', reason: 'locked', detail: 'x', digest: 'd', source: 'ui' }
  const clicked = record('event_refused', data, { source: 'ui', surface: 'customer' })
  expect(recordView(clicked, 'customer')?.data).toEqual({ type: 'withdraw', reason: 'locked' })
  expect(recordView(clicked, 'installer')).toBeUndefined()
  const said = record('event_refused', data, { source: 'model', surface: 'customer' })
  expect(recordView(said, 'customer')).toBeUndefined()
})

test('[E11] who did it is reduced to where it came from, and no hash lets a side guess', () => {
  const origin = {
    surface: 'customer',
    agent: 'narrator',
    path: ['a'],
    depth: 2,
    run: 'r1',
    turn: 't1',
    attempt: 1,
    call: 'c1',
    cause: 'x',
    rule: 'R1',
  }
  const seen = recordView(record('withdraw', {}, origin), 'customer')
  expect(seen).toMatchObject({ prev: '', hash: '' })
  expect(seen?.origin).toEqual({
    source: 'system',
    surface: 'customer',
    run: 'r1',
    rule: 'R1',
    depth: 0,
  })
})
