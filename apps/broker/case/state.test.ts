import { expect, test } from 'vitest'
import { CASE_STATUSES } from './state.ts'
import type { CaseState } from './state.ts'

// `Required` makes a missing field an error of the compiler, the literal an excess one.
const everyField: Required<CaseState> = {
  sessionId: 's',
  retailerName: 'r',
  status: 'intake',
  project: {},
  contact: {},
  personal: {},
  financial: {},
  eligibility: {
    isOver18: true,
    isUkResident: true,
    isHomeowner: true,
    isEmployed: true,
    capturedAt: '',
  },
  provisionalQuote: {
    amount: 1,
    termMonths: 36,
    indicativeAprPct: 9.9,
    monthlyPayment: 1,
    totalPayable: 36,
    capturedAt: '',
  },
  emailPreference: { wantsEmailCopy: false, capturedAt: '' },
  disclosures: [],
  consents: [],
  waterfall: {
    requestedQuote: {
      amount: 1,
      termMonths: 36,
      indicativeAprPct: 9.9,
      monthlyPayment: 1,
      totalPayable: 36,
      capturedAt: '',
    },
    steps: [],
    awaitingCounterDecision: false,
    exhausted: true,
    updatedAt: '',
  },
  selectedOfferId: 'o',
  caseOutcome: { kind: 'declined', recordedAt: '' },
  installerHandoffComplete: false,
  createdAt: '',
  updatedAt: '',
}

test('[B026] a case has exactly the fields that the architecture lists', () => {
  expect(Object.keys(everyField).join(' ')).toBe(
    'sessionId retailerName status project contact personal financial eligibility ' +
      'provisionalQuote emailPreference disclosures consents waterfall selectedOfferId ' +
      'caseOutcome installerHandoffComplete createdAt updatedAt',
  )
})

test('[B027] a case status is one of exactly twelve', () => {
  expect(CASE_STATUSES.join(' ')).toBe(
    'intake awaiting_customer customer_active quote_ready submitting waterfall_running ' +
      'awaiting_counter_decision selected declined ineligible withdrawn complete',
  )
})
