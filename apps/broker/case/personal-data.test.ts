import { expect, test } from 'vitest'
import { domain } from './given-case.fixture.ts'
import { PERSONAL_MEMBERS } from './personal-data.ts'

const marked = Object.fromEntries(
  [...domain.events].flatMap(([type, { personal }]) => (personal ? [[type, personal]] : [])),
)

test('the domain marks the personal data that the audit page hides', () => {
  expect(marked).toEqual(PERSONAL_MEMBERS)
})

test.each(['record_customer_contact', 'record_personal_facts', 'record_financial_facts'])(
  'every member of %s is marked as personal data',
  (type) => {
    const schema = domain.events.get(type)?.schema as unknown as { readonly shape: object }
    expect(marked[type]).toEqual(Object.keys(schema.shape))
  },
)
