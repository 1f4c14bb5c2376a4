import { expect, test } from 'vitest'
import { CASE_GATES, isLocked, missingDetails, missingForLink, nextGate } from './gates.ts'
import type { CaseGate } from './gates.ts'
import { given } from './given-case.fixture.ts'
import type { Act } from './given-case.fixture.ts'
import { ACCEPT, CASE_IN, JOURNEY, SELECT, upTo, upToWithout } from './journey.fixture.ts'

const consentRefused: Act = {
  ...JOURNEY.grant,
  data: { consentType: 'credit_search', granted: false },
}

const WAITS: readonly (readonly [CaseGate, string, readonly Act[]])[] = [
  ['handoff', 'in intake', CASE_IN.intake],
  ['disclosure:service_status', 'after the hand-off', upTo('handoff')],
  ['disclosure:service_status', 'while it is only presented', upTo('presentStatus')],
  ['eligibility', 'after the acknowledgement', upTo('acknowledgeStatus')],
  ['quote', 'after eligibility', upTo('eligible')],
  ['email', 'after the quote', upTo('quote')],
  ['details', 'after the email answer', upTo('email')],
  ['details', 'after half the form', upTo('personal')],
  ['vulnerability', 'after the form', upTo('financial')],
  ['disclosure:credit_search_consent', 'after the support card', upTo('vulnerability')],
  ['disclosure:credit_search_consent', 'while it is presented', upTo('presentConsent')],
  ['consent_refused', 'after a refusal', [...upTo('presentConsent'), consentRefused]],
  ['disclosure:pre_contract_summary', 'after the grant', upTo('grant')],
  ['submit', 'when everything is there', CASE_IN.quote_ready],
  ['waterfall', 'while submitting', CASE_IN.submitting],
  ['waterfall', 'while lenders are asked', CASE_IN.waterfall_running],
  ['counter', 'while a counter-offer waits', CASE_IN.awaiting_counter_decision],
  ['accept', 'after a clean approval', CASE_IN.selected],
  ['complete', 'after the tap', [...CASE_IN.selected, SELECT]],
  ['complete', 'after an accepted counter', [...CASE_IN.awaiting_counter_decision, ACCEPT]],
  ['closed', 'when declined', CASE_IN.declined],
  ['closed', 'when ineligible', CASE_IN.ineligible],
  ['closed', 'when withdrawn', CASE_IN.withdrawn],
  ['closed', 'when complete', CASE_IN.complete],
]

test.each(WAITS)('[B028] a case waits for %s %s', (gate, _, acts) => {
  expect(nextGate(given(...acts).case)).toBe(gate)
})

test('every gate is waited for in some case', () => {
  expect([...new Set(WAITS.map(([gate]) => gate))]).toEqual([...CASE_GATES])
})

test('an email answer is asked for but holds nothing up', () => {
  const asked = given(...upToWithout('grant', 'email'))
  expect(asked.refusal).toBeUndefined()
  expect(nextGate(asked.case)).toBe('email')
})

test('the gate of the form lists its empty fields', () => {
  expect(missingDetails(given(...upTo('personal')).case)).toEqual([
    'financial.employmentStatus',
    'financial.annualIncome',
    'financial.monthlyOutgoings',
  ])
  expect(missingDetails(given(...upTo('create')).case)).toContain('contact.mobile')
  expect(missingDetails(given(...upTo('financial')).case)).toEqual([])
})

test('the link needs what the installer knows', () => {
  expect(missingForLink(given(...upTo('project')).case)).toEqual(['mobile', 'first name', 'email'])
  expect(missingForLink(given(...upTo('contact')).case)).toEqual([])
})

test('an outcome locks a case whatever its status', () => {
  const outcome: Act = { by: 'system', type: 'case_outcome', data: { kind: 'withdrawn' } }
  const { case: state } = given(...CASE_IN.quote_ready, outcome)
  expect([state.status, isLocked(state), nextGate(state)]).toEqual(['quote_ready', true, 'closed'])
})
