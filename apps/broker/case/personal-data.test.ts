import { expect, test } from 'vitest'
import { domain } from './given-case.fixture.ts'
import { brokerState } from './case-schema.ts'
import { PERSONAL_IN_CASE, PERSONAL_MEMBERS } from './personal-data.ts'

const marked = Object.fromEntries(
  [...domain.events].flatMap(([type, { personal }]) => (personal ? [[type, personal]] : [])),
)

test('the domain marks the personal data that an auditor does not read', () => {
  expect(marked).toEqual(PERSONAL_MEMBERS)
})

test.each(['record_customer_contact', 'record_personal_facts', 'record_financial_facts'])(
  'every member of %s is marked as personal data',
  (type) => {
    const schema = domain.events.get(type)?.schema as unknown as { readonly shape: object }
    expect(marked[type]).toEqual(Object.keys(schema.shape))
  },
)

test('every member of the finances and of eligibility is personal, except the time of its answer', () => {
  const { financial, eligibility } = brokerState.shape.case.shape
  const paths = [
    ...Object.keys(financial.shape).map((member) => `case.financial.${member}`),
    ...Object.keys(eligibility.unwrap().shape).map((member) => `case.eligibility.${member}`),
  ]
  expect(paths.filter((path) => !PERSONAL_IN_CASE.includes(path))).toEqual([
    'case.financial.vulnerabilityCapturedAt',
    'case.eligibility.capturedAt',
  ])
})
