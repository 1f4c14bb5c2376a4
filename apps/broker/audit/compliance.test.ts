import { expect, test } from 'vitest'
import type { Json, LogRecord, Origin } from 'throughline'
import { NO_CASE } from '../case/index.ts'
import type { CaseState } from '../case/index.ts'
import { compliance } from './index.ts'
import { recordAt } from '../../../test/memory-log.fixture.ts'

const at = (ts: number, type: string, data: Json = {}) => recordAt(ts, { type, data })
const consent = (consentType: string) => ({ consentType, granted: true, bound: true })

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

test('compliance reports every violation', () => {
  const state = { ...NO_CASE.case, status: 'declined', selectedOfferId: 'o' } as const
  const { anomalies } = compliance(state, [
    at(1_000, 'capture_consent', consent('credit_search')),
    at(2_000, 'submit_application'),
  ])
  expect(anomalies.map(({ code }) => code)).toEqual([
    'selected_with_unacknowledged_disclosure',
    'hasty_submission',
    'declined_without_steps',
  ])
})

test('a case in which nothing happened has no durations', () => {
  const none = { sessionMs: null, fromConsentToSubmissionMs: null }
  expect(compliance(NO_CASE.case, []).durations).toEqual(none)
})

const answer = (seq: number, data: Json) => at(seq, 'capture_consent', data)
const codesOf = (state: CaseState, records: readonly LogRecord[]) =>
  compliance(state, records).anomalies

test('[S11] an answer that is unbound or lacks the hash of its text is an anomaly', () => {
  const rule = { ...at(4, 'acknowledge_disclosure', { id: 'credit_search_consent' }) }
  const records = [
    answer(0, { ...consent('credit_search'), bound: false }),
    answer(1, { consentType: 'credit_search', granted: true }),
    answer(2, { consentType: 'credit_search', granted: true, contentHash: 'f00d' }),
    answer(3, consent('credit_search')),
    { ...rule, origin: { source: 'rule', rule: 'R1', depth: 0 } } as const,
  ]
  expect(codesOf(NO_CASE.case, records)).toEqual([{ code: 'unbound_evidence', records: [0, 1] }])
})

test('[S11] an answer that a recovery seed brought back stays an anomaly', () => {
  const brought = (bound: boolean) => {
    const consents = [{ type: 'credit_search', granted: true, capturedAt: '', bound }] as const
    return { case: { ...NO_CASE.case, consents } }
  }
  const records = [true, false].map((bound, seq) => at(seq, 'case_hydrated', brought(bound)))
  expect(codesOf(NO_CASE.case, records)).toEqual([{ code: 'unbound_evidence', records: [1] }])
})

function originOf([surface, actor]: readonly [surface: string, actor?: string]): Origin {
  return { source: 'ui', surface, depth: 0, ...(actor === undefined ? {} : { actor }) }
}

const acted = (seq: number, by: readonly [surface: string, actor?: string], type = 'withdraw') => ({
  ...at(seq, type),
  origin: originOf(by),
})

test('an audit makes the journey no longer', () => {
  const records = [at(0, 'case_created'), at(1, 'withdraw')]
  const audited = [...records, at(2, 'link_opened'), at(3, 'reveal_personal_data')]
  const { durations } = compliance(NO_CASE.case, records)
  expect(compliance(NO_CASE.case, audited).durations).toEqual(durations)
})

test('[S12] one browser on both sides is an anomaly that lists its acts', () => {
  const records = [
    acted(0, ['installer', 'a'], 'link_opened'),
    acted(1, ['customer', 'b'], 'link_opened'),
    acted(2, ['installer', 'b'], 'TEXT_MESSAGE_START'),
    acted(3, ['installer', 'b'], 'TEXT_MESSAGE_END'),
    acted(4, ['customer', 'b']),
    acted(5, ['auditor', 'b'], 'link_opened'),
    acted(6, ['customer']),
  ]
  expect(codesOf(NO_CASE.case, records)).toEqual([{ code: 'shared_browser', records: [1, 3, 4] }])
})

test.each(['case_created', 'case_hydrated'])(
  '[S12] in a case marked as a demonstration one browser on both sides is no anomaly: %s',
  (opening) => {
    const records = [
      at(0, opening, { demonstration: true }),
      acted(1, ['installer', 'b'], 'link_opened'),
      acted(2, ['customer', 'b']),
    ]
    const { anomalies, demonstration } = compliance(NO_CASE.case, records)
    expect({ anomalies, demonstration }).toEqual({ anomalies: [], demonstration: true })
    const real = compliance(NO_CASE.case, [at(0, opening, {}), ...records.slice(1)])
    expect(real).toMatchObject({ demonstration: false, anomalies: [{ code: 'shared_browser' }] })
  },
)

test('[S12] a page that presents a disclosure again by itself does not count as an act', () => {
  const refused = (type: string) => ({ type, reason: 'precondition' })
  const records = [
    acted(0, ['installer', 'b'], 'link_opened'),
    acted(1, ['customer', 'b'], 'link_opened'),
    { ...acted(2, ['customer', 'b'], 'event_refused'), data: refused('present_disclosure') },
    { ...acted(3, ['customer', 'b'], 'event_refused'), data: refused('withdraw') },
  ]
  expect(codesOf(NO_CASE.case, records)).toEqual([{ code: 'shared_browser', records: [0, 1, 3] }])
})

test('[S12] an auditor’s or an operator’s browser, and callers without one, are no anomaly', () => {
  const records = ['installer', 'customer', 'auditor', 'operator'].flatMap((role, n) => [
    acted(n, [role, role === 'customer' ? 'b' : 'a'], 'link_opened'),
    acted(n + 10, [role]),
  ])
  expect(codesOf(NO_CASE.case, records)).toEqual([])
})

test('an opened link makes the journey no longer', () => {
  const records = [at(0, 'case_created'), at(1_000, 'withdraw'), at(9_000, 'link_opened')]
  expect(compliance(NO_CASE.case, records).durations.sessionMs).toBe(1_000)
})
