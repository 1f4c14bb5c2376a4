import { expect, test } from 'vitest'
import { applicationOf } from './application.ts'
import { quote } from './quote.ts'
import { readyCase, without } from './ready-case.fixture.ts'

const AT = '2026-03-02T10:00:00.000Z'
const SUBMISSION = {
  applicationId: 'run-1:0',
  productCode: 'IBC',
  submittedAt: '2026-03-02T11:00:00.000Z',
} as const

test('an application holds exactly what a lender may know', () => {
  expect(applicationOf(readyCase(), SUBMISSION)).toEqual({
    ...SUBMISSION,
    brokerCaseId: 'case-1',
    retailerName: 'Sunny Roofs',
    project: { projectValue: 17_500, depositAmount: 1_750, netLoanAmount: 15_750 },
    requested: { amount: 15_750, termMonths: 120, indicativeAprPct: 9.15, monthlyPayment: 197.71 },
    eligibility: readyCase().eligibility,
    personal: { fullName: 'Sarah Lark', dateOfBirth: '1984-05-12', postcode: 'SN1 1AA' },
    financial: {
      employmentStatus: 'Employed',
      annualIncome: 42_000,
      monthlyOutgoings: 1_400,
      existingCommitments: 'a car on finance',
    },
    consents: [{ type: 'credit_search', granted: true, capturedAt: AT }],
    disclosuresAcknowledged: [
      { id: 'service_status', version: 1, presentedAt: AT, acknowledgedAt: AT },
    ],
    vulnerability: { probed: true, indicatorCount: 1 },
  })
})

test('an application never holds contact, vulnerability or what another lender said', () => {
  const steps = [
    {
      lender: 'Some Bank',
      position: 'Prime Priority 1',
      outcome: { kind: 'declined', reason: 'CANARY_REASON' },
    },
  ] as const
  const requestedQuote = quote(15_750, 120, AT)
  const waterfall = {
    requestedQuote,
    steps,
    awaitingCounterDecision: false,
    exhausted: false,
    updatedAt: AT,
  }
  const sent = JSON.stringify(applicationOf(readyCase({ waterfall }), SUBMISSION))
  const forbidden = ['recent_life_event', 'moved house', 'CANARY_REASON', 'Some Bank', '07700']
  expect(forbidden.filter((text) => sent.includes(text))).toEqual([])
})

test('the application distinguishes "not asked about vulnerability" from "no indicators"', () => {
  const notAsked = readyCase({ financial: { employmentStatus: 'Employed' } })
  expect(applicationOf(notAsked, SUBMISSION).vulnerability).toEqual({
    probed: false,
    indicatorCount: 0,
  })
  expect(applicationOf(notAsked, SUBMISSION).financial).toEqual({ employmentStatus: 'Employed' })
})

test.each(['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'])(
  'no application is written when %s is false',
  (criterion) => {
    const full = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
    const eligibility = { ...full, [criterion]: false, capturedAt: AT }
    expect(() => applicationOf(readyCase({ eligibility }), SUBMISSION)).toThrow('not eligible')
  },
)

test('no application is written without eligibility, a quote or consent', () => {
  const notAsked = without(readyCase(), 'eligibility')
  const notQuoted = without(readyCase(), 'provisionalQuote')
  const refused = readyCase({
    consents: [{ type: 'credit_search', granted: false, capturedAt: AT }],
  })
  expect(() => applicationOf(notAsked, SUBMISSION)).toThrow('eligibility was not asked about')
  expect(() => applicationOf(notQuoted, SUBMISSION)).toThrow('holds no quote')
  expect(() => applicationOf(refused, SUBMISSION)).toThrow('no consent to a credit search')
})
