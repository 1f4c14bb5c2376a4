import { expect, test } from 'vitest'
import { AT_GATE } from '../narrator/case-states.fixture.ts'
import type { CaseView } from './case-view.ts'
import { latestOwnClick, recordedAs } from './own-clicks.ts'
import { recordAt } from '../../../test/memory-log.fixture.ts'

const record = (type: string, surface: string) => {
  const source = type === 'case_hydrated' ? 'system' : 'ui'
  return recordAt(0, { id: type, type, origin: { source, surface, depth: 0 } })
}
const EMAIL = record('record_email_preference', 'customer')
const DETAILS = record('record_personal_facts', 'customer')
const RECOVERY = record('case_hydrated', 'customer')

test('the latest click of the customer is named, not one of the installer', () => {
  const contact = record('record_customer_contact', 'installer')
  expect(latestOwnClick([EMAIL, DETAILS, contact])).toBe(DETAILS)
})

test('a click before a recovery is not named: the seed may hold later ones', () => {
  expect(latestOwnClick([EMAIL, RECOVERY])).toBeUndefined()
  expect(latestOwnClick([EMAIL, RECOVERY, DETAILS])).toBe(DETAILS)
})

test('a confirmed summary is described as sent, not as read', () => {
  const acknowledged = (id: string, view: CaseView) =>
    recordedAs({ type: 'acknowledge_disclosure', data: { id } }, view)
  const { submit, accept } = AT_GATE
  expect(acknowledged('service_status', submit.case)).toBe('you understand who we are')
  const summary = 'pre_contract_summary'
  expect(acknowledged(summary, submit.case)).toBe('you confirmed. We are sending it')
  expect(acknowledged(summary, accept.case)).toBe('you confirmed, and we sent it')
  expect(acknowledged('another', submit.case)).toBeUndefined()
})
