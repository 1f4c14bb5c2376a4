import { expect, test } from 'vitest'
import type { CaseView } from '../case-view.ts'
import { checkDraft, pounds } from './check-draft.ts'
import { detailsEvents } from './details-events.ts'
import type { DetailsDraft } from './draft.ts'
import { EMPTY_DRAFT, draftOf } from './draft.ts'
import { tenuresFor } from './tenures.ts'

const TODAY = new Date('2026-11-20T12:00:00Z')

const view: CaseView = {
  sessionId: 's',
  retailerName: 'r',
  status: 'quote_ready',
  project: {},
  contact: { firstName: 'Sarah', lastName: 'Khan' },
  personal: {},
  financial: {},
  disclosures: [],
  consents: [],
  installerHandoffComplete: true,
  createdAt: '',
  updatedAt: '',
}

const filled: DetailsDraft = {
  ...EMPTY_DRAFT,
  fullName: ' Sarah Khan ',
  birthDay: '3',
  birthMonth: '2',
  birthYear: '1984',
  mobile: '+44 7700 900123',
  postcode: 'sn11aa',
  addressLine1: '1 Weir Terrace',
  town: 'Kingsmere',
  employmentStatus: 'Employed',
  annualIncome: '£42,000',
  monthlyOutgoings: '1400.50',
}

test('a form that is filled in becomes one batch, spelt as the case spells it', () => {
  expect(checkDraft(filled, TODAY)).toEqual([])
  expect(detailsEvents(filled, view)).toEqual([
    {
      type: 'record_personal_facts',
      data: {
        fullName: 'Sarah Khan',
        dateOfBirth: '1984-02-03',
        postcode: 'SN1 1AA',
        addressLine1: '1 Weir Terrace',
        town: 'Kingsmere',
      },
    },
    {
      type: 'record_financial_facts',
      data: { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1400.5 },
    },
    { type: 'record_customer_contact', data: { mobile: '07700 900 123' } },
  ])
})

test('a mobile number that the case has is not sent again', () => {
  const known = { ...view, contact: { mobile: '07700 900 123' } }
  expect(detailsEvents(filled, known).map(({ type }) => type)).not.toContain(
    'record_customer_contact',
  )
})

test('every required field that is empty is named, in the order of the form', () => {
  expect(checkDraft(EMPTY_DRAFT, TODAY).map(({ field }) => field)).toEqual([
    'fullName',
    'birthDay',
    'mobile',
    'postcode',
    'addressLine1',
    'town',
    'employmentStatus',
    'annualIncome',
    'monthlyOutgoings',
  ])
})

test.each([
  ['20 11 2008', 0],
  ['21 11 2008', 1],
  ['30 2 1984', 1],
  ['29 2 1984', 0],
  ['1 13 1984', 1],
  ['x 2 1984', 1],
  ['1 1 1890', 1],
])('born on %s gives %d errors', (born, errors) => {
  const [birthDay = '', birthMonth = '', birthYear = ''] = born.split(' ')
  const draft = { ...filled, birthDay, birthMonth, birthYear }
  expect(checkDraft(draft, TODAY)).toHaveLength(errors)
})

test.each([
  ['14 6 84', 'Enter a year with 4 numbers, such as 1984'],
  ['14 6', 'Enter the day, the month and the year you were born'],
  ['31 2 1984', 'Enter a real date of birth'],
])('the date of birth %s shows the error %j', (born, message) => {
  const [birthDay = '', birthMonth = '', birthYear = ''] = born.split(' ')
  const draft = { ...filled, birthDay, birthMonth, birthYear }
  expect(checkDraft(draft, TODAY)).toEqual([{ field: 'birthDay', message }])
})

test.each([
  ['32000', 32_000],
  ['£ 1,234.5', 1234.5],
  ['-1', undefined],
  ['1e5', undefined],
  ['', undefined],
  ['99999999', undefined],
])('%j is %j pounds', (text, amount) => {
  expect(pounds(text)).toBe(amount)
})

test('a homeowner is not offered "tenant", unless that answer is on record', () => {
  const eligibility = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
  const owner = { eligibility: { ...eligibility, capturedAt: '' } }
  const known = { residentialStatus: 'Tenant' }
  expect(Object.keys(tenuresFor(owner, EMPTY_DRAFT))).toEqual(['Owner', 'Mortgaged', 'Other'])
  expect(Object.keys(tenuresFor(owner, known))).toContain('Tenant')
  expect(Object.keys(tenuresFor({}, EMPTY_DRAFT))).toContain('Tenant')
})

test.each([{ firstName: 'Sarah' }, { lastName: 'Khan' }])(
  'a first or last name alone does not fill in the full name',
  (contact) => {
    expect(draftOf({ ...view, contact }).fullName).toBe('')
  },
)

test('the form begins with what the case knows', () => {
  const personal = { dateOfBirth: '1984-02-03', town: 'Kingsmere' }
  const draft = draftOf({ ...view, personal, financial: { annualIncome: 0 } })
  expect(draft).toMatchObject({ fullName: 'Sarah Khan', birthYear: '1984', birthDay: '03' })
  expect(draft).toMatchObject({ town: 'Kingsmere', annualIncome: '0', mobile: '' })
})
