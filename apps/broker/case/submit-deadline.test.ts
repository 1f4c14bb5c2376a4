import { expect, test } from 'vitest'
import type { BrokerState } from './case-domain.ts'
import { given } from './given-case.fixture.ts'
import { JOURNEY, WITHDRAW, upTo } from './journey.fixture.ts'
import { SUBMIT_AFTER_MS, submitDeadline } from './submit-deadline.ts'

const ACTIVE_AT = Date.parse('2026-11-24T10:00:00.000Z')

/** Replaces the version of the pre-contract summary that the case has presented. */
function withSummary({ case: held, ...state }: BrokerState, version: number): BrokerState {
  const disclosures = held.disclosures.map((shown) =>
    shown.id === 'pre_contract_summary' ? { ...shown, version } : shown,
  )
  return { ...state, case: { ...held, disclosures } }
}

const due = (state: BrokerState, version = 2) =>
  submitDeadline.due(withSummary(state, version), { activeAt: ACTIVE_AT })

const confirmed = given(...upTo('confirmSummary'))

test('a confirmed application that was not sent is sent after a silence', () => {
  expect(due(confirmed.state)).toEqual({
    at: ACTIVE_AT + SUBMIT_AFTER_MS,
    key: '2026-11-24T10:00:00.000Z',
    propose: { type: 'submit_application', data: {} },
  })
})

test('nothing is sent before the confirmation, after the submission, or after a withdrawal', () => {
  for (const acts of [upTo('grant'), upTo('submit')]) {
    expect(due(given(...acts).state)).toBeUndefined()
  }
  expect(due(confirmed.when(WITHDRAW).state)).toBeUndefined()
  const refusal = { ...JOURNEY.grant, data: { consentType: 'credit_search', granted: false } }
  expect(due(confirmed.when(refusal).state)).toBeUndefined()
})

test('a confirmation of the first version of the summary sends nothing by itself', () => {
  expect(due(confirmed.state, 1)).toBeUndefined()
})
