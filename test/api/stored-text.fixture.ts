import { begunCase, turnIn } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

/** A case in which every free text begins with, ends with or is the given one. */
export async function caseFullOf(api: ServedApi, text: string): Promise<Case> {
  const made = await begunCase(api)
  const line = text.replaceAll(/\p{Cc}/gu, ' ')
  const events: readonly (readonly [type: string, data: object])[] = [
    ['record_customer_contact', { firstName: line, lastName: line }],
    ['acknowledge_disclosure', { id: 'service_status' }],
    [
      'record_eligibility',
      { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true },
    ],
    [
      'record_personal_facts',
      { fullName: line, addressLine1: line, addressLine2: line, town: line },
    ],
    ['record_financial_facts', { existingCommitments: text }],
    ['record_vulnerability_indicators', { indicators: [], note: text }],
    [text.slice(0, 128), { [text]: text }],
    ['withdraw', { reason: text }],
  ]
  const directEvents = events.map(([type, data]) => ({ type, data }))
  await turnIn(api, made, {
    side: 'installer',
    userMessage: text,
    directEvents: [{ type: 'record_project_facts', data: { retailerName: line } }],
  })
  await turnIn(api, made, { side: 'customer', userMessage: text })
  await turnIn(api, made, { side: 'customer', directEvents })
  return made
}
