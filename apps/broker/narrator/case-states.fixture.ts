import { NO_CASE } from '../case/index.ts'
import type { BrokerState, CaseGate, CaseState, Offer, WaterfallResult } from '../case/index.ts'

export const AT = '2026-03-02T10:00:00.000Z'

export function stateWith(changes: Partial<CaseState>): BrokerState {
  return { case: { ...NO_CASE.case, retailerName: 'Sunny Roofs', ...changes }, scenario: 'auto' }
}

export const requestedQuote = {
  amount: 15_750,
  termMonths: 120,
  indicativeAprPct: 9.15,
  monthlyPayment: 197.71,
  totalPayable: 23_725.2,
  capturedAt: AT,
}

export const prime: Offer = {
  id: 'offer-1',
  lender: 'Harbour Bank',
  position: 'Prime Priority 1',
  productCode: 'IBC',
  aprPct: 9.15,
  termMonths: 120,
  monthlyPayment: 197.71,
  totalPayable: 23_725.2,
  netLoanAmount: 15_750,
}

export const longer: Offer = {
  ...prime,
  id: 'offer-2',
  lender: 'Meridian Bank',
  position: 'Prime Priority 2',
  aprPct: 10.8,
  termMonths: 144,
  monthlyPayment: 190.97,
  totalPayable: 27_499.68,
}

const declined = {
  lender: 'Harbour Bank',
  position: 'Prime Priority 1',
  outcome: { kind: 'declined', reason: 'INCOME_BELOW_MINIMUM' },
} as const

const asked = { requestedQuote, awaitingCounterDecision: false, exhausted: false, updatedAt: AT }

export const approved: WaterfallResult = {
  ...asked,
  steps: [
    {
      lender: prime.lender,
      position: prime.position,
      outcome: { kind: 'approved_as_requested', offer: prime },
    },
  ],
  acceptedOffer: prime,
}

export const countered: WaterfallResult = {
  ...asked,
  steps: [
    declined,
    {
      lender: longer.lender,
      position: longer.position,
      outcome: { kind: 'approved_with_counter', offer: longer, reason: 'LONGER_TERM' },
    },
  ],
  awaitingCounterDecision: true,
}

export const exhausted: WaterfallResult = {
  ...asked,
  steps: [
    declined,
    {
      lender: 'Meridian Bank',
      position: 'Prime Priority 2',
      outcome: { kind: 'unavailable', reason: 'no answer in time' },
    },
  ],
  exhausted: true,
}

const handedOver: Partial<CaseState> = {
  status: 'awaiting_customer',
  project: {
    projectValue: 17_500,
    depositAmount: 1_750,
    netLoanAmount: 15_750,
    productSpec: 'panels_battery',
  },
  contact: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
  installerHandoffComplete: true,
}
const service = { id: 'service_status', presentedAt: AT, acknowledgedAt: AT }
const active: Partial<CaseState> = {
  ...handedOver,
  status: 'customer_active',
  disclosures: [service],
}
const eligible: Partial<CaseState> = {
  ...active,
  status: 'quote_ready',
  eligibility: {
    isOver18: true,
    isUkResident: true,
    isHomeowner: true,
    isEmployed: true,
    capturedAt: AT,
  },
}
const quoted: Partial<CaseState> = { ...eligible, provisionalQuote: requestedQuote }
const emailed: Partial<CaseState> = {
  ...quoted,
  emailPreference: { wantsEmailCopy: false, capturedAt: AT },
}
const detailed: Partial<CaseState> = {
  ...emailed,
  personal: {
    fullName: 'Sarah Lark',
    dateOfBirth: '1984-05-12',
    postcode: 'SN1 1AA',
    addressLine1: '1 High Street',
    town: 'Swindon',
  },
  financial: { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1_400 },
}
const probed: Partial<CaseState> = {
  ...detailed,
  financial: {
    ...detailed.financial,
    vulnerabilityIndicators: ['recent_life_event'],
    vulnerabilityNote: 'a canary that no prompt may hold',
    vulnerabilityCapturedAt: AT,
  },
}
const granted: Partial<CaseState> = {
  ...probed,
  consents: [{ type: 'credit_search', granted: true, capturedAt: AT }],
  disclosures: [service, { id: 'credit_search_consent', presentedAt: AT, acknowledgedAt: AT }],
}
const confirmed: Partial<CaseState> = {
  ...granted,
  disclosures: [
    ...(granted.disclosures ?? []),
    { id: 'pre_contract_summary', presentedAt: AT, acknowledgedAt: AT },
  ],
}

/** A case that waits at each gate. */
export const AT_GATE: Readonly<Record<CaseGate, BrokerState>> = {
  handoff: stateWith({}),
  'disclosure:service_status': stateWith(handedOver),
  eligibility: stateWith(active),
  quote: stateWith(eligible),
  email: stateWith(quoted),
  details: stateWith(emailed),
  vulnerability: stateWith(detailed),
  'disclosure:credit_search_consent': stateWith(probed),
  consent_refused: stateWith({
    ...probed,
    consents: [{ type: 'credit_search', granted: false, capturedAt: AT }],
  }),
  'disclosure:pre_contract_summary': stateWith(granted),
  submit: stateWith(confirmed),
  waterfall: stateWith({ ...confirmed, status: 'submitting' }),
  counter: stateWith({ ...confirmed, status: 'awaiting_counter_decision', waterfall: countered }),
  accept: stateWith({ ...confirmed, status: 'selected', waterfall: approved }),
  complete: stateWith({
    ...confirmed,
    status: 'selected',
    waterfall: approved,
    selectedOfferId: prime.id,
    caseOutcome: { kind: 'selected', recordedAt: AT },
  }),
  closed: stateWith({
    ...confirmed,
    status: 'declined',
    waterfall: exhausted,
    caseOutcome: { kind: 'declined', recordedAt: AT },
  }),
}

export const INELIGIBLE = stateWith({
  ...active,
  status: 'ineligible',
  eligibility: {
    isOver18: true,
    isUkResident: true,
    isHomeowner: false,
    isEmployed: false,
    capturedAt: AT,
  },
  caseOutcome: { kind: 'ineligible', reason: 'isHomeowner', recordedAt: AT },
})

export const WITHDRAWN = stateWith({
  ...quoted,
  status: 'withdrawn',
  caseOutcome: { kind: 'withdrawn', recordedAt: AT },
})

export const WITHDRAWN_LATE = stateWith({
  ...confirmed,
  status: 'withdrawn',
  waterfall: countered,
  caseOutcome: { kind: 'withdrawn', recordedAt: AT },
})
