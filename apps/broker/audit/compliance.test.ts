import { expect, test } from 'vitest'
import type { Json, LogRecord } from 'throughline/log'
import { NO_CASE } from '../case/index.ts'
import { compliance } from './index.ts'

const at = (ts: number, type: string, data: Json = {}): LogRecord => ({
  seq: ts,
  ts,
  type,
  data,
  id: 'i',
  thread: 't',
  origin: { source: 'ui', depth: 0 },
  v: 1,
  prev: '',
  hash: '',
})
const consent = (consentType: string) => ({ consentType, granted: true })

test('the time from consent to submission is that of the credit search', () => {
  const { durations, anomalies } = compliance(NO_CASE.case, [
    at(0, 'case_created'),
    at(1_000, 'capture_consent', consent('credit_search')),
    at(99_000, 'capture_consent', consent('marketing')),
    at(100_000, 'submit_application'),
  ])
  expect(durations).toEqual({ sessionMs: 100_000, fromConsentToSubmissionMs: 99_000 })
  expect(anomalies).toEqual([])
})

test('what should not have been so is named', () => {
  const state = { ...NO_CASE.case, status: 'declined', selectedOfferId: 'o' } as const
  const { anomalies } = compliance(state, [
    at(1_000, 'capture_consent', consent('credit_search')),
    at(2_000, 'submit_application'),
  ])
  expect(anomalies).toEqual([
    'selected_with_unacknowledged_disclosure',
    'hasty_submission',
    'declined_without_steps',
  ])
})

test('a case in which nothing happened has no durations', () => {
  const none = { sessionMs: null, fromConsentToSubmissionMs: null }
  expect(compliance(NO_CASE.case, []).durations).toEqual(none)
})
