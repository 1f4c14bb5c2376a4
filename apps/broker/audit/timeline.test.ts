import { expect, test } from 'vitest'
import type { Json, LogRecord, Origin } from 'throughline'
import { recordNamed } from '../../studio/story/record-named.fixture.ts'
import { recordNames } from './record-types.fixture.ts'
import { timeline } from './timeline.ts'

test('[B010] the timeline has a kind and a sentence for every type of record', () => {
  const names = recordNames()
  const known = ['case_created', 'event_refused', 'effect_requested', 'token_revoked', 'RUN_ERROR']
  const ours = ['note', 'model_output', 'effect_failed', 'webhook_delivered', 'webhook_resent']
  expect(names).toEqual(expect.arrayContaining(known))
  expect(names).toEqual(expect.arrayContaining(ours.map((name) => `throughline.${name}`)))
  const untold = names.filter((name) =>
    timeline([recordNamed(name)]).some(({ kind }) => kind === 'other'),
  )
  expect(untold).toEqual([])
})

test('[B010] how a turn went by is left to the list of records', () => {
  const names = ['RUN_STARTED', 'STEP_STARTED', 'TEXT_MESSAGE_CONTENT', 'throughline.model_output']
  expect(timeline(names.map((name) => recordNamed(name)))).toEqual([])
})

test('[B010] the timeline shows a failed model call, but not a cancelled one', () => {
  const output = (error: string) => recordNamed('throughline.model_output', { error })
  expect(timeline([output('timeout'), output('cancelled')])).toMatchObject([
    { kind: 'model_error', summary: 'A call of the model failed: timeout' },
  ])
})

test('[B010] the timeline names the side that wrote a message, and the rule of a derived event', () => {
  const told = (type: string, data: Json, origin: Origin): LogRecord => ({
    ...recordNamed(type, data),
    origin,
  })
  const installer: Origin = { source: 'ui', surface: 'installer', depth: 0 }
  const entries = timeline([
    told('TEXT_MESSAGE_START', { messageId: 'm', role: 'user' }, installer),
    told('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'Panels' }, installer),
    told('TEXT_MESSAGE_END', { messageId: 'm' }, installer),
    told('submit_application', {}, { source: 'rule', rule: 'R3', depth: 0 }),
  ])
  expect(entries).toMatchObject([
    { kind: 'message', summary: 'Installer: “Panels”' },
    { kind: 'rule_fired', summary: 'Rule R3' },
    { kind: 'submission', summary: 'The application was sent to the lenders' },
  ])
})

test('[B010] journey_idle says since when nothing has happened', () => {
  const since = { since: '2026-11-20T10:00:00.000Z' }
  const summary =
    'Nothing has happened since 2026-11-20T10:00:00.000Z, and the receiver is to be told'
  expect(timeline([recordNamed('journey_idle', since)])).toMatchObject([
    { kind: 'journey_idle', summary, payload: since },
  ])
})

const about = { delivery: 'd', event: 'case_outcome' }

test.each([
  [
    'webhook_delivered',
    { ...about, attempt: 2, status: 204 },
    'The receiver was told of case outcome, at attempt 2',
  ],
  [
    'webhook_failed',
    { ...about, attempt: 1, reason: 'TIMEOUT' },
    'The receiver could not be told of case outcome: attempt 1 failed (TIMEOUT)',
  ],
  [
    'webhook_dead_lettered',
    { ...about, attempt: 10, reason: 'STATUS_500' },
    'The receiver was given up on for case outcome: attempt 10 was the last (STATUS_500)',
  ],
  ['webhook_resent', about, 'The operator has the receiver told of case outcome again'],
  [
    'effect_failed',
    { effect: 'waterfall', key: 'k', message: 'no answer' },
    'Work outside failed: waterfall (no answer)',
  ],
])('[B010] %s of %j reads "%s"', (name, data, summary) => {
  const [entry, ...more] = timeline([recordNamed(`throughline.${name}`, data)])
  expect(entry).toMatchObject({ summary, payload: data })
  expect(more).toEqual([])
})

test.each([
  [{ role: 'customer', token: 'id' }, 'A link of the customer was revoked'],
  [{ role: 'customer', generation: 2 }, 'All links of the customer that existed then were revoked'],
])('[B010] token_revoked of %j reads "%s"', (data, summary) => {
  expect(timeline([recordNamed('token_revoked', data)])).toMatchObject([
    { kind: 'token_revoked', summary, payload: data },
  ])
})

test('[B010] the timeline shows the end of a stopped turn only', () => {
  const metadata = { stoppedBy: 'customer' }
  const ended = (type: string) => recordNamed('RUN_FINISHED', { outcome: { type }, metadata })
  const [stopped, ...more] = timeline([ended('success'), ended('cancelled')])
  expect(stopped).toMatchObject({
    kind: 'turn_stopped',
    summary: 'The turn was stopped by the customer',
  })
  expect(more).toEqual([])
})

test('[B010] the timeline shows a record of an unknown type by its name', () => {
  for (const name of ['something_new', 'throughline.something_new', 'constructor']) {
    const [entry] = timeline([recordNamed(name)])
    expect(entry?.kind).toBe('other')
    expect(entry?.summary).toMatch(/^Recorded: (something new|constructor)$/)
  }
})
