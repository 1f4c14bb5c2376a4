import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
import { recordNamed, recordNames } from '../broker/audit/record-types.fixture.ts'
import { sentenceOf } from './sentences.ts'

const sentence = (type: string, data: LogRecord['data'] = {}): string => {
  const origin = { source: 'system', depth: 0 } as const
  return sentenceOf({
    seq: 0,
    id: '',
    thread: '',
    ts: 0,
    v: 1,
    prev: '',
    hash: '',
    type,
    data,
    origin,
  })
}

test.each([
  ['capture_consent', { consentType: 'credit_search', granted: true }, 'Credit search: granted'],
  ['capture_consent', { consentType: 'credit_search', granted: 'yes' }, 'Credit search: refused'],
  ['record_project_facts', { projectValue: 1 }, 'Project facts: project value'],
  ['event_refused', { type: 'withdraw', reason: 'locked' }, 'Not accepted: Withdraw (locked)'],
  [
    'CUSTOM',
    { name: 'throughline.model_output', value: { error: 'refused' } },
    'Everything that the model said before its call failed (refused)',
  ],
  ['CUSTOM', { name: 'throughline.note', value: '[Opened.]' }, 'The model was told: [Opened.]'],
  [
    'CUSTOM',
    { name: 'throughline.webhook_resent', value: { delivery: 'd', event: 'case_outcome' } },
    'The operator has the receiver told of case outcome again',
  ],
  [
    'CUSTOM',
    {
      name: 'throughline.webhook_dead_lettered',
      value: { event: 'journey_idle', attempt: 10, reason: 'TIMEOUT' },
    },
    'The receiver was given up on for journey idle: attempt 10 was the last (TIMEOUT)',
  ],
  ['CUSTOM', { name: 'throughline.something_new', value: 1 }, 'Something new'],
  ['token_revoked', { role: 'customer', token: 'id' }, 'A link of the customer was revoked'],
  [
    'token_revoked',
    { role: 'installer', issuedUntil: 1 },
    'All links that the installer had were revoked',
  ],
  [
    'RUN_FINISHED',
    { outcome: { type: 'cancelled' }, metadata: { stoppedBy: 'customer' } },
    'The run was stopped by the customer',
  ],
  ['RUN_FINISHED', { outcome: { type: 'success' } }, 'The run ended'],
  ['something_new', {}, 'Something new'],
  ['SOMETHING_NEW', null, 'Something new'],
])('%s of %j reads "%s"', (type, data, expected) => {
  expect(sentence(type, data)).toBe(expected)
})

test('[B009] every record that can stand in a thread has a sentence of its own', () => {
  const plain = (name: string) =>
    name.replace('throughline.', '').replaceAll('_', ' ').toLowerCase()
  const names = recordNames()
  expect(names.length).toBeGreaterThan(50)
  const wordless = names.filter(
    (name) => sentenceOf(recordNamed(name)).toLowerCase() === plain(name),
  )
  expect(wordless).toEqual([])
})
