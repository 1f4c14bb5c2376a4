import { expect, test } from 'vitest'
import { checkEvent } from '../event-checks.fixture.ts'
import { given } from '../given-case.fixture.ts'
import type { Act } from '../given-case.fixture.ts'
import { CASE_IN, JOURNEY, upTo, upToWithout } from '../journey.fixture.ts'

checkEvent({
  name: '[A045] [B034] record_personal_facts',
  given: upTo('email'),
  act: JOURNEY.personal,
  gives: {
    status: 'quote_ready',
    personal: { ...JOURNEY.personal.data, postcode: 'SN1 1AA' },
  },
  allowed: ['customer'],
  invalid: [
    { dateOfBirth: '12/05/1984' },
    { dateOfBirth: '1983-02-29' },
    { dateOfBirth: '1899-12-31' },
    { postcode: 'SW1' },
    { propertyType: 'Castle' },
    { residentialStatus: 'owner' },
    { addressLine1: 'x'.repeat(121) },
    { fullName: 'Sarah\u0000Lark' },
    { town: 5 },
  ],
  refused: [
    ['once submitted', CASE_IN.submitting, 'precondition'],
    ['while a counter-offer waits', CASE_IN.awaiting_counter_decision, 'precondition'],
    ['once the case has ended', CASE_IN.withdrawn, 'locked'],
  ],
  again: 'unchanged',
})

test.each([
  ['2008-11-20', undefined],
  ['2008-11-21', 'precondition'],
  ['2030-01-01', 'precondition'],
])('[A045] on 20 November 2026 the date of birth %s is refused as %s', (dateOfBirth, refused) => {
  const act: Act = { ...JOURNEY.personal, data: { dateOfBirth } }
  expect(given(...upTo('email')).when(act).refusal?.refused).toBe(refused)
})

test('[A071] [A045] personal facts are merged, and an optional line can be emptied', () => {
  const first: Act = { ...JOURNEY.personal, data: { addressLine2: 'Flat 2', county: 'Wiltshire' } }
  const second: Act = { ...JOURNEY.personal, data: { addressLine2: '' } }
  const { personal } = given(...upTo('personal'), first, second).case
  expect(personal).toMatchObject({ addressLine2: '', county: 'Wiltshire', town: 'Swindon' })
})

checkEvent({
  name: '[A046] [B034] record_financial_facts',
  given: upTo('personal'),
  act: JOURNEY.financial,
  gives: { financial: JOURNEY.financial.data as object },
  allowed: ['customer'],
  invalid: [
    { employmentStatus: 'employed' },
    { annualIncome: -1 },
    { annualIncome: 1e8 },
    { annualIncome: Number.NaN },
    { monthlyOutgoings: 10.005 },
    { existingCommitments: 'x'.repeat(1_001) },
  ],
  refused: [
    ['once submitted', CASE_IN.submitting, 'precondition'],
    ['once the case has ended', CASE_IN.withdrawn, 'locked'],
  ],
  again: 'unchanged',
})

test.each(['personal', 'financial'] as const)(
  '[A071] %s facts make a waiting customer active',
  (facts) => {
    const waiting = given(...upTo('handoff'))
    expect(waiting.case.status).toBe('awaiting_customer')
    expect(waiting.when(JOURNEY[facts]).case.status).toBe('customer_active')
  },
)

checkEvent({
  name: '[A047] [B035] record_vulnerability_indicators',
  given: upTo('financial'),
  act: {
    ...JOURNEY.vulnerability,
    data: { indicators: ['recent_life_event'], note: 'We moved house\nlast month' },
  },
  gives: {
    financial: expect.objectContaining({
      vulnerabilityIndicators: ['recent_life_event'],
      vulnerabilityNote: 'We moved house\nlast month',
      vulnerabilityCapturedAt: '2026-11-20T10:00:12.000Z',
    }),
  },
  allowed: ['customer'],
  invalid: [
    {},
    { indicators: ['elderly'] },
    { indicators: ['recent_life_event', 'recent_life_event'] },
    { indicators: [], note: 'x'.repeat(1_001) },
    { indicators: 'recent_life_event' },
  ],
  refused: [['once the case has ended', CASE_IN.withdrawn, 'locked']],
  again: 'captured anew',
})

test('[A047] the answer "none" replaces earlier answers and counts as asked', () => {
  const noted: Act = {
    ...JOURNEY.vulnerability,
    data: { indicators: ['financial_difficulty'], note: 'rent' },
  }
  const { financial } = given(...upTo('financial'), noted, JOURNEY.vulnerability).case
  expect(financial.vulnerabilityIndicators).toEqual([])
  expect(financial).not.toHaveProperty('vulnerabilityNote')
  expect(financial.vulnerabilityCapturedAt).toBeDefined()
})

test('[A047] what a customer declares changes neither eligibility, price nor status', () => {
  const declared: Act = {
    ...JOURNEY.vulnerability,
    data: { indicators: ['financial_difficulty', 'support_needed_before_signing'] },
  }
  const plain = given(...upTo('vulnerability')).case
  const flagged = given(...upToWithout('vulnerability', 'vulnerability'), declared).case
  expect({ ...flagged, financial: plain.financial }).toEqual(plain)
})
