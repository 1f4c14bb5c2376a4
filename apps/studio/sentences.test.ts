import type { LogRecord } from 'throughline/log'
import { expect, test } from 'vitest'
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
  ['event_refused', { type: 'withdraw', reason: 'locked' }, 'Refused: Withdraw (locked)'],
  ['CUSTOM', { name: 'throughline.model_output', value: '' }, 'Model output'],
  ['something_new', {}, 'Something new'],
  ['SOMETHING_NEW', null, 'Something new'],
])('%s of %j reads "%s"', (type, data, expected) => {
  expect(sentence(type, data)).toBe(expected)
})
