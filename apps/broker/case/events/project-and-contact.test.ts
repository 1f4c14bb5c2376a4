import { expect, test } from 'vitest'
import { checkEvent } from '../event-checks.fixture.ts'
import { given } from '../given-case.fixture.ts'
import { CASE_IN, JOURNEY, WITHDRAW, upTo, upToWithout } from '../journey.fixture.ts'

const lockedInIntake = [...upTo('contact'), WITHDRAW]

checkEvent({
  name: '[A038] record_project_facts',
  given: upTo('create'),
  act: JOURNEY.project,
  gives: {
    project: {
      projectValue: 17_500,
      depositAmount: 1_750,
      depositPct: 10,
      netLoanAmount: 15_750,
      productSpec: 'panels_battery',
    },
  },
  allowed: ['installer', 'installerModel'],
  invalid: [
    null,
    { projectValue: -1 },
    { projectValue: 1e9 },
    { projectValue: '17500' },
    { projectValue: 100.001 },
    { projectValue: 1_000, depositAmount: 1_001 },
    { depositPct: 101 },
    { productSpec: 'heat_pump' },
    { retailerName: ' ' },
  ],
  refused: [
    ['once the customer is active', CASE_IN.customer_active, 'precondition'],
    ['once there is a quote', upTo('quote'), 'precondition'],
    ['once the case has ended', lockedInIntake, 'locked'],
  ],
  again: 'unchanged',
})

checkEvent({
  name: '[A039] record_customer_contact',
  given: upTo('create'),
  act: JOURNEY.contact,
  gives: {
    contact: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
  },
  allowed: ['installer', 'installerModel', 'customer'],
  invalid: [
    [],
    { mobile: '+33 6 12 34 56 78' },
    { mobile: '020 7946 0000' },
    { mobile: 7_700_900_123 },
    { email: 'sarah at example' },
    { firstName: '' },
    { lastName: 'x'.repeat(121) },
    { firstName: 'Sarah\nLark' },
  ],
  refused: [['once the case has ended', lockedInIntake, 'locked']],
  again: 'unchanged',
})

checkEvent({
  name: '[A040] generate_customer_link',
  given: CASE_IN.intake,
  act: JOURNEY.link,
  gives: { status: 'awaiting_customer', installerHandoffComplete: false },
  allowed: ['installer', 'installerModel'],
  invalid: [null, 'link', 1],
  refused: [
    ['without contact details', upToWithout('contact', 'contact'), 'precondition'],
    ['without project facts', upToWithout('contact', 'project'), 'precondition'],
    ['once the customer is active', CASE_IN.customer_active, 'precondition'],
    ['once the case has ended', lockedInIntake, 'locked'],
  ],
  again: 'unchanged',
})

checkEvent({
  name: '[A041] installer_handoff_complete',
  given: CASE_IN.intake,
  act: JOURNEY.handoff,
  gives: { status: 'awaiting_customer', installerHandoffComplete: true },
  allowed: ['installer', 'installerModel'],
  invalid: [null, 'done'],
  refused: [
    ['without contact details', upToWithout('contact', 'contact'), 'precondition'],
    ['once the case has ended', lockedInIntake, 'locked'],
  ],
  again: 'unchanged',
})

test('[A041] a hand-off repeated while the customer is active is accepted and changes nothing', () => {
  const active = given(...CASE_IN.customer_active)
  const again = active.when(JOURNEY.handoff)
  expect(again.refusal).toBeUndefined()
  expect(again.case).toEqual(active.case)
})

test('[A040] the refusal names everything that the installer has still to give', () => {
  const { refusal } = given(...upTo('create')).when(JOURNEY.link)
  expect(refusal?.detail).toBe(
    'Still missing before the hand-off: ' +
      'mobile, first name, email, project value, deposit, product',
  )
})

const projects: readonly (readonly [string, readonly object[], object])[] = [
  ['a share alone waits for the value', [{ depositPct: 10 }], { depositPct: 10 }],
  [
    'a share becomes an amount with the value',
    [{ depositPct: 10 }, { projectValue: 17_499 }],
    { projectValue: 17_499, depositAmount: 1_749.9, depositPct: 10, netLoanAmount: 15_749.1 },
  ],
  [
    'an amount becomes a share with the value',
    [{ depositAmount: 500 }, { projectValue: 10_000 }],
    { projectValue: 10_000, depositAmount: 500, depositPct: 5, netLoanAmount: 9_500 },
  ],
  [
    'a later share replaces an amount',
    [{ projectValue: 10_000, depositAmount: 500 }, { depositPct: 20 }],
    { projectValue: 10_000, depositAmount: 2_000, depositPct: 20, netLoanAmount: 8_000 },
  ],
  [
    'a later amount replaces a share',
    [{ projectValue: 10_000, depositPct: 20 }, { depositAmount: 500 }],
    { projectValue: 10_000, depositAmount: 500, depositPct: 5, netLoanAmount: 9_500 },
  ],
  [
    'a share that was said stays when the value changes, and the amount follows',
    [{ projectValue: 9_200, depositPct: 5 }, { projectValue: 9_500 }],
    { projectValue: 9_500, depositAmount: 475, depositPct: 5, netLoanAmount: 9_025 },
  ],
  [
    'a share said before the value stays through every value',
    [{ depositPct: 10 }, { projectValue: 10_000 }, { systemKwp: 4 }, { projectValue: 12_000 }],
    {
      projectValue: 12_000,
      depositAmount: 1_200,
      depositPct: 10,
      netLoanAmount: 10_800,
      systemKwp: 4,
    },
  ],
  [
    'an amount said after a share stays when the value changes',
    [{ projectValue: 10_000, depositPct: 20 }, { depositAmount: 500 }, { projectValue: 20_000 }],
    { projectValue: 20_000, depositAmount: 500, depositPct: 2.5, netLoanAmount: 19_500 },
  ],
  [
    'an amount stays when the value changes',
    [{ projectValue: 10_000, depositAmount: 500 }, { projectValue: 20_000 }],
    { projectValue: 20_000, depositAmount: 500, depositPct: 2.5, netLoanAmount: 19_500 },
  ],
]
test.each(projects)('[A071] [A038] deposit: %s', (_, facts, project) => {
  const acts = facts.map((data) => ({ ...JOURNEY.project, data }))
  expect(given(...upTo('create'), ...acts).case.project).toEqual(project)
})

test('[A038] a deposit above a value recorded earlier is refused', () => {
  const { refusal } = given(...upTo('project')).when({
    ...JOURNEY.project,
    data: { depositAmount: 17_501 },
  })
  expect(refusal?.refused).toBe('precondition')
})

test('[A038] a retailer name goes to the case, other fields are left out', () => {
  const data = { retailerName: 'Bright Panels', netLoanAmount: 1, status: 'complete' }
  const after = given(...upTo('create')).when({ ...JOURNEY.project, data })
  expect(after.case).toMatchObject({ retailerName: 'Bright Panels', status: 'intake', project: {} })
  expect(after.records.at(-1)?.data).toEqual({ retailerName: 'Bright Panels' })
})

test.each(['07700 900 123', '+44 7700 900123', '0044 (0)7700-900-123', '07700900123'])(
  '[A039] the mobile number %s is spelt in one way, in the record too',
  (mobile) => {
    const after = given(...upTo('create')).when({ ...JOURNEY.contact, data: { mobile } })
    expect(after.records.at(-1)?.data).toEqual({ mobile: '07700 900 123' })
  },
)

const contactEvent = (data: object) => ({ ...JOURNEY.contact, data })

test.each([
  ['keeps the last name', { firstName: 'Sara' }, { firstName: 'Sara', lastName: 'Jones' }],
  ['takes the new last name', { lastName: 'Khan' }, { firstName: 'Sarah', lastName: 'Khan' }],
  ['drops the last name', { firstName: 'Sara', lastName: '' }, { firstName: 'Sara' }],
])('[A039] a corrected contact %s', (_, corrected, contact) => {
  const named = contactEvent({ firstName: 'Sarah', lastName: 'Jones' })
  const known = given(...upTo('create'), named)
  expect(known.when(contactEvent(corrected)).case.contact).toEqual(contact)
})
