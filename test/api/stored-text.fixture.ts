import { begunCase, post } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

/** A case in which every free text begins with, ends with or is the given one. */
export async function caseFullOf(api: ServedApi, text: string): Promise<Case> {
  const made = await begunCase(api)
  const { sessionId, tokens } = made
  const line = text.replaceAll(/\p{Cc}/gu, ' ')
  const say = (side: 'installer' | 'customer', more: object) =>
    post(api, `/api/chat/${side}`, { body: { sessionId, ...more }, token: tokens[side] })
  const events = [
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
  ].map(([type, data]) => ({ type, data }))
  await say('installer', {
    userMessage: text,
    directEvents: [{ type: 'record_project_facts', data: { retailerName: line } }],
  })
  await say('customer', { userMessage: text })
  await say('customer', { directEvents: events })
  return made
}
