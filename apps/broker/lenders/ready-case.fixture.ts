import type { CaseState, FinancialFacts } from '../case/state.ts'
import { quote } from './quote.ts'

const AT = '2026-03-02T10:00:00.000Z'

/** A case that has met every gate before submission. */
export function readyCase(overrides: Partial<CaseState> = {}): CaseState {
  return {
    sessionId: 'case-1',
    retailerName: 'Sunny Roofs',
    status: 'submitting',
    project: { projectValue: 17_500, depositAmount: 1_750, netLoanAmount: 15_750 },
    contact: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
    personal: { fullName: 'Sarah Lark', dateOfBirth: '1984-05-12', postcode: 'SN1 1AA' },
    financial: means(42_000, 1_400),
    eligibility: {
      isOver18: true,
      isUkResident: true,
      isHomeowner: true,
      isEmployed: true,
      capturedAt: AT,
    },
    provisionalQuote: quote(15_750, 120, AT),
    disclosures: [
      { id: 'service_status', version: 1, presentedAt: AT, acknowledgedAt: AT },
      { id: 'never_acknowledged', version: 1, presentedAt: AT },
    ],
    consents: [
      { type: 'credit_search', granted: true, capturedAt: AT },
      { type: 'marketing', granted: false, capturedAt: AT },
    ],
    installerHandoffComplete: true,
    createdAt: AT,
    updatedAt: AT,
    ...overrides,
  }
}

/** The same object with one field left out, as a case that never learnt it. */
export function without<T extends object, K extends keyof T>(whole: T, field: K): Omit<T, K> {
  const rest: Omit<T, K> & { [key in K]?: unknown } = { ...whole }
  delete rest[field]
  return rest
}

export function means(
  annualIncome: number,
  monthlyOutgoings: number,
  employmentStatus: NonNullable<FinancialFacts['employmentStatus']> = 'Employed',
): FinancialFacts {
  return {
    employmentStatus,
    annualIncome,
    monthlyOutgoings,
    existingCommitments: 'a car on finance',
    vulnerabilityIndicators: ['recent_life_event'],
    vulnerabilityNote: 'moved house',
    vulnerabilityCapturedAt: AT,
  }
}
