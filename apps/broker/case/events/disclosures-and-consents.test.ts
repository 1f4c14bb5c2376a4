import { expect, test } from 'vitest'
import { checkEvent } from '../event-checks.fixture.ts'
import { START, disclosures, given } from '../given-case.fixture.ts'
import type { Act } from '../given-case.fixture.ts'
import { CASE_IN, JOURNEY, upTo, upToWithout } from '../journey.fixture.ts'
import type { JourneyStep } from '../journey.fixture.ts'

const hashOf = (id: string): string | undefined =>
  disclosures.current(id, new Date(START).toISOString())?.contentHash
const refusal: Act = {
  ...JOURNEY.grant,
  data: { consentType: 'credit_search', granted: false },
}

checkEvent({
  name: '[A048] [A068] [B037] present_disclosure',
  given: upTo('handoff'),
  act: JOURNEY.presentStatus,
  gives: {
    disclosures: [
      {
        id: 'service_status',
        version: 1,
        contentHash: expect.any(String),
        presentedAt: '2026-11-20T10:00:05.000Z',
      },
    ],
  },
  allowed: ['customer', 'customerModel', 'rule'],
  invalid: [{}, { id: 'commission' }, { id: 'service_status', version: 0 }, { id: 7 }],
  refused: [
    ['a second time', upTo('presentStatus'), 'precondition'],
    ['once the case has ended', CASE_IN.withdrawn, 'locked'],
  ],
  again: 'precondition',
})

test('[A048] the record holds the version and the hash that the server knows', () => {
  const { records } = given(...upTo('presentStatus'))
  const contentHash = hashOf('service_status')
  const record = records.at(-1)
  expect(record?.data).toEqual({
    id: 'service_status',
    version: 1,
    contentHash,
    record: record?.id,
  })
})

test('[A048] a version that is not in force is refused', () => {
  const act: Act = { ...JOURNEY.presentStatus, data: { id: 'service_status', version: 2 } }
  expect(given(...upTo('handoff')).when(act).refusal?.refused).toBe('precondition')
})

const beforeConsent: readonly JourneyStep[] = [
  'acknowledgeStatus',
  'eligible',
  'quote',
  'financial',
  'vulnerability',
]
test.each(beforeConsent)('[A048] credit_search_consent is too early without %s', (step) => {
  const acts = upTo('vulnerability')
  const short = acts.slice(0, acts.indexOf(JOURNEY[step]))
  const after = given(...short).when(JOURNEY.presentConsent)
  expect(after.refusal?.detail).toMatch(/^It is too early for "credit_search_consent": the /)
})

test('[A048] pre_contract_summary is too early before the grant', () => {
  const act: Act = { ...JOURNEY.presentStatus, data: { id: 'pre_contract_summary' } }
  const after = given(...upTo('presentConsent')).when(act)
  expect(after.refusal?.refused).toBe('precondition')
})

test('[A048] decline_signposting is no gate and is never presented', () => {
  const act: Act = { ...JOURNEY.presentStatus, data: { id: 'decline_signposting' } }
  expect(given(...CASE_IN.quote_ready).when(act).refusal?.refused).toBe('precondition')
  expect(given(...CASE_IN.declined).when(act).refusal?.refused).toBe('locked')
})

checkEvent({
  name: '[A049] [A069] acknowledge_disclosure',
  given: CASE_IN.awaiting_customer,
  act: JOURNEY.acknowledgeStatus,
  gives: {
    status: 'customer_active',
    disclosures: [expect.objectContaining({ acknowledgedAt: '2026-11-20T10:00:06.000Z' })],
  },
  allowed: ['customer', 'rule', 'customerModel'],
  invalid: [{}, { id: 'other' }, { id: 'service_status', contentHash: 5 }],
  refused: [
    ['before it is presented', upTo('handoff'), 'precondition'],
    [
      'once the case has ended',
      [...CASE_IN.awaiting_customer, { by: 'customer', type: 'withdraw' }],
      'locked',
    ],
  ],
  again: 'unchanged',
})

test('[A069] [A080] a second acknowledgement keeps the first time, also after the case has ended', () => {
  const ended = given(...CASE_IN.withdrawn)
  const again = ended.when(JOURNEY.acknowledgeStatus)
  expect(again.refusal).toBeUndefined()
  expect(again.case).toEqual(ended.case)
  expect(again.records).toHaveLength(ended.records.length + 1)
})

test.each([
  ['another hash', { contentHash: 'f00d' }, 'evidence_mismatch'],
  ['the hash that was shown', { contentHash: hashOf('service_status') }, undefined],
  ['no hash', {}, undefined],
])('[A049] an acknowledgement that names %s', (_, named, refused) => {
  const data = { id: 'service_status', ...named }
  const act: Act = { ...JOURNEY.acknowledgeStatus, data }
  const after = given(...CASE_IN.awaiting_customer).when(act)
  expect(after.refusal?.refused).toBe(refused)
})

test('[A049] [S11] the record names the consent, and the text and record that had been shown', () => {
  const { records, case: state } = given(...upTo('acknowledgeStatus'))
  const contentHash = hashOf('service_status')
  expect(records.at(-1)?.data).toEqual({
    id: 'service_status',
    contentHash,
    presented: { version: 1, contentHash, record: records.at(-2)?.id },
    bound: true,
  })
  expect(state.disclosures[0]).toMatchObject({ bound: true, record: records.at(-2)?.id })
})

test('[S11] an acknowledgement without a hash is recorded as unbound, and gets none from the server', () => {
  const act: Act = { ...JOURNEY.acknowledgeStatus, data: { id: 'service_status' } }
  const { records, case: state } = given(...CASE_IN.awaiting_customer, act)
  expect(records.at(-1)?.data).toMatchObject({ bound: false })
  expect(records.at(-1)?.data).not.toHaveProperty('contentHash')
  expect(state.disclosures[0]).toMatchObject({ bound: false })
})

test('[S11] the model’s acknowledgement is unbound, whatever hash it names', () => {
  const act: Act = { ...JOURNEY.acknowledgeStatus, by: 'customerModel', typed: true }
  const { records } = given(...CASE_IN.awaiting_customer, act)
  expect(records.at(-1)?.data).toMatchObject({ bound: false })
})

test.each([true, false])('[S11] R1’s acknowledgement is as bound as the grant: %s', (bound) => {
  const contentHash = hashOf('credit_search_consent')
  const data = { consentType: 'credit_search', granted: true, ...(bound && { contentHash }) }
  const after = given(...upTo('presentConsent'), { ...JOURNEY.grant, data })
  expect(after.case.consents[0]).toMatchObject({ bound })
  expect(after.case.disclosures[1]).toMatchObject({ id: 'credit_search_consent', bound })
})

test.each([
  ['in a turn in which the customer typed', true, undefined],
  ['in a turn of clicks alone', false, 'not_authorised'],
])('[A049] the model acknowledges service_status %s', (_, typed, refused) => {
  const data = { id: 'service_status' }
  const act: Act = { by: 'customerModel', type: 'acknowledge_disclosure', data, typed }
  expect(given(...CASE_IN.awaiting_customer).when(act).refusal?.refused).toBe(refused)
})

test('[A049] the model acknowledges nothing else, however much was typed', () => {
  const data = { id: 'pre_contract_summary' }
  const act: Act = { by: 'customerModel', type: 'acknowledge_disclosure', data, typed: true }
  expect(given(...upTo('grant')).when(act).refusal?.refused).toBe('not_authorised')
})

test('[A049] the customer answers the consent text by granting or refusing, not with an acknowledgement', () => {
  const act: Act = { ...JOURNEY.confirmSummary, data: { id: 'credit_search_consent' } }
  expect(given(...upTo('presentConsent')).when(act).refusal?.refused).toBe('precondition')
})

checkEvent({
  name: '[A050] [B033] capture_consent',
  given: upTo('presentConsent'),
  act: JOURNEY.grant,
  gives: {
    consents: [{ type: 'credit_search', granted: true, capturedAt: '2026-11-20T10:00:14.000Z' }],
  },
  allowed: ['customer'],
  invalid: [
    {},
    { consentType: 'credit_search' },
    { consentType: 'credit_search', granted: 'true' },
    { consentType: 'photos', granted: true },
    { consentType: 'credit_search', granted: true, contentHash: '' },
  ],
  refused: [
    ['before its text is presented', upTo('vulnerability'), 'precondition'],
    ['once submitted', CASE_IN.submitting, 'precondition'],
    ['once lenders were asked', CASE_IN.awaiting_counter_decision, 'precondition'],
    ['once the case has ended', CASE_IN.withdrawn, 'locked'],
  ],
  again: 'unchanged',
})

test('[A070] the latest answer replaces the earlier one of the same type', () => {
  const marketing: Act = { ...JOURNEY.grant, data: { consentType: 'marketing', granted: false } }
  const after = given(...upTo('presentConsent'), refusal, marketing, JOURNEY.grant)
  expect(after.case.consents.map(({ type, granted }) => [type, granted])).toEqual([
    ['marketing', false],
    ['credit_search', true],
  ])
})

test('[A050] a grant names the text that was shown', () => {
  const grant = given(...upTo('grant')).records.find(({ type }) => type === 'capture_consent')
  const contentHash = hashOf('credit_search_consent')
  expect(grant?.data).toMatchObject({ presented: { version: 1, contentHash } })
})

test('[A050] a grant of another text is refused', () => {
  const data = {
    consentType: 'credit_search',
    granted: true,
    contentHash: hashOf('service_status'),
  }
  const after = given(...upTo('presentConsent')).when({ ...JOURNEY.grant, data })
  expect(after.refusal?.refused).toBe('evidence_mismatch')
})

test('[A050] a refused credit search submits nothing and can be granted later', () => {
  const refused = given(...upTo('presentConsent')).when({ ...refusal, pass: 'submit' })
  expect(refused.fired).toEqual([])
  expect(refused.when(JOURNEY.grant).fired).toEqual(['R1', 'R2'])
})

test('[B040] a model that starts again at step one changes nothing', () => {
  const before = given(...upToWithout('confirmSummary'))
  const again = before.when(JOURNEY.presentStatus).when({ ...JOURNEY.contact, by: 'customerModel' })
  expect(again.case).toEqual(before.case)
})
