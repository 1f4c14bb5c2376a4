import { expect, test } from 'vitest'
import { recordNamed, recordNames } from './record-types.fixture.ts'
import { timeline } from './timeline.ts'

test('[B010] every record that can stand in a case has its sentence, or is left out on purpose', () => {
  const names = recordNames()
  const known = ['case_created', 'event_refused', 'effect_requested', 'token_revoked', 'RUN_ERROR']
  const ours = ['note', 'model_output', 'effect_failed', 'webhook_delivered', 'webhook_resent']
  expect(names).toEqual(expect.arrayContaining(known))
  expect(names).toEqual(expect.arrayContaining(ours.map((name) => `throughline.${name}`)))
  const untold = names.filter((name) =>
    timeline([recordNamed(name)]).some(({ kind }) => kind === 'other'),
  )
  expect(untold).toEqual(ELSEWHERE)
})

/** What agents that ask agents append: their threads are no cases, and have a page of their own. */
const ELSEWHERE = [
  'ACTIVITY_SNAPSHOT',
  'SUBAGENT_ERROR',
  'SUBAGENT_FINISHED',
  'SUBAGENT_STARTED',
  'throughline.history_compacted',
  'throughline.history_reset',
  'throughline.wait_for_input',
]

const about = { delivery: 'd', event: 'case_outcome' }

test.each([
  [
    'webhook_delivered',
    { ...about, attempt: 2, status: 204 },
    'Receiver told: case outcome, at attempt 2',
  ],
  [
    'webhook_failed',
    { ...about, attempt: 1, reason: 'TIMEOUT' },
    'Receiver not told: case outcome, attempt 1 failed (TIMEOUT)',
  ],
  [
    'webhook_dead_lettered',
    { ...about, attempt: 10, reason: 'STATUS_500' },
    'Receiver given up on: case outcome, attempt 10 was the last (STATUS_500)',
  ],
  ['webhook_resent', about, 'The operator has the receiver told again: case outcome'],
  [
    'webhook_idle',
    { since: '2026-11-20T10:00:00.000Z' },
    'No record since 2026-11-20T10:00:00.000Z: the receiver is to be told',
  ],
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
  [{ role: 'customer', token: 'id' }, 'A link of the customer revoked'],
  [
    { role: 'installer', issuedUntil: Date.UTC(2026, 10, 20, 10) },
    'All links of the installer revoked that were issued until 2026-11-20T10:00:00.000Z',
  ],
])('[B010] token_revoked of %j reads "%s"', (data, summary) => {
  expect(timeline([recordNamed('token_revoked', data)])).toMatchObject([
    { kind: 'token_revoked', summary, payload: data },
  ])
})

test('[B010] a turn that was stopped is told, one that ended by itself is not', () => {
  const metadata = { stoppedBy: 'customer' }
  const ended = (type: string) => recordNamed('RUN_FINISHED', { outcome: { type }, metadata })
  const [stopped, ...more] = timeline([ended('success'), ended('cancelled')])
  expect(stopped).toMatchObject({ kind: 'turn_stopped', summary: 'Turn stopped by the customer' })
  expect(more).toEqual([])
})

test('[B010] a record that nobody has thought of is told by its name', () => {
  for (const name of ['something_new', 'throughline.something_new', 'constructor']) {
    const [entry] = timeline([recordNamed(name)])
    expect(entry?.kind).toBe('other')
    expect(entry?.summary).toMatch(/^Recorded: (something new|constructor)$/)
  }
})
