import type { Act } from './given-case.fixture.ts'
import { START, disclosures } from './given-case.fixture.ts'
import type { CaseStatus, Offer, WaterfallOutcome, WaterfallResult } from './state.ts'

const shownAtStart = disclosures.current('service_status', new Date(START).toISOString())

const YES = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }

/** The happy path of a customer whose installer knew everything. */
export const JOURNEY = {
  create: {
    by: 'system',
    type: 'case_created',
    data: { sessionId: 'case-1', retailerName: 'Sunny Roofs' },
  },
  project: {
    by: 'installerModel',
    type: 'record_project_facts',
    data: {
      projectValue: 17_500,
      depositAmount: 1_750,
      depositPct: 10,
      productSpec: 'panels_battery',
    },
  },
  contact: {
    by: 'installerModel',
    type: 'record_customer_contact',
    data: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700900123' },
  },
  link: { by: 'installerModel', type: 'generate_customer_link' },
  handoff: { by: 'installerModel', type: 'installer_handoff_complete' },
  presentStatus: {
    by: 'customerModel',
    type: 'present_disclosure',
    data: { id: 'service_status' },
  },
  acknowledgeStatus: {
    by: 'customer',
    type: 'acknowledge_disclosure',
    data: {
      id: 'service_status',
      contentHash: shownAtStart?.contentHash,
    },
  },
  eligible: { by: 'customer', type: 'record_eligibility', data: YES },
  quote: { by: 'customer', type: 'record_provisional_quote', data: { termMonths: 120 } },
  email: { by: 'customer', type: 'record_email_preference', data: { wantsEmailCopy: false } },
  personal: {
    by: 'customer',
    type: 'record_personal_facts',
    data: {
      fullName: 'Sarah Lark',
      dateOfBirth: '1984-05-12',
      postcode: 'sn11aa',
      addressLine1: '1 High Street',
      town: 'Swindon',
    },
  },
  financial: {
    by: 'customer',
    type: 'record_financial_facts',
    data: { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1_400 },
  },
  vulnerability: {
    by: 'customer',
    type: 'record_vulnerability_indicators',
    data: { indicators: [] },
  },
  presentConsent: {
    by: 'customerModel',
    type: 'present_disclosure',
    data: { id: 'credit_search_consent' },
  },
  grant: {
    by: 'customer',
    type: 'capture_consent',
    data: { consentType: 'credit_search', granted: true },
  },
  confirmSummary: {
    by: 'customer',
    type: 'acknowledge_disclosure',
    data: { id: 'pre_contract_summary' },
  },
  submit: { by: 'system', type: 'submit_application' },
} satisfies Record<string, Act>
export type JourneyStep = keyof typeof JOURNEY

export function upTo(step: JourneyStep): readonly Act[] {
  const steps = Object.entries(JOURNEY)
  return steps.slice(0, steps.findIndex(([name]) => name === step) + 1).map(([, act]) => act)
}

/** The journey up to a step, without the others that are named. */
export function upToWithout(step: JourneyStep, ...left: readonly JourneyStep[]): readonly Act[] {
  const omitted: readonly Act[] = left.map((name) => JOURNEY[name])
  return upTo(step).filter((act) => !omitted.includes(act))
}

export const OFFER: Offer = {
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

const DECLINED: WaterfallOutcome = { kind: 'declined', reason: 'INCOME_BELOW_MINIMUM' }

function recorded(result: Partial<WaterfallResult>, outcomes: readonly WaterfallOutcome[]): Act {
  const quoted = {
    amount: 15_750,
    termMonths: 120,
    indicativeAprPct: 9.15,
    monthlyPayment: 197.71,
    totalPayable: 23_725.2,
    capturedAt: '2026-11-20T10:00:08.000Z',
  }
  const whole: WaterfallResult = {
    requestedQuote: quoted,
    steps: outcomes.map((outcome) => ({ lender: 'A bank', position: 'Prime Priority 1', outcome })),
    awaitingCounterDecision: false,
    exhausted: false,
    updatedAt: '2026-11-20T10:00:20.000Z',
    ...result,
  }
  return { by: 'system', type: 'waterfall_recorded', data: { result: whole } }
}

export const RECORDED = {
  approved: recorded({ acceptedOffer: OFFER }, [{ kind: 'approved_as_requested', offer: OFFER }]),
  counter: recorded({ awaitingCounterDecision: true }, [
    DECLINED,
    { kind: 'approved_with_counter', offer: OFFER, reason: 'HIGHER_APR' },
  ]),
  exhausted: recorded({ exhausted: true }, [DECLINED, DECLINED]),
  unsettled: recorded({}, [DECLINED]),
} satisfies Record<string, Act>

export const ACCEPT: Act = { by: 'customer', type: 'accept_counter_offer' }
export const REFUSE: Act = { by: 'customer', type: 'refuse_counter_offer' }
export const SELECT: Act = { by: 'customer', type: 'select_offer', data: { offerId: OFFER.id } }
export const WITHDRAW: Act = { by: 'customer', type: 'withdraw', data: { reason: 'not now' } }
export const COMPLETE: Act = { by: 'customer', type: 'case_complete' }
export const INELIGIBLE: Act = { ...JOURNEY.eligible, data: { ...YES, isHomeowner: false } }

export const IDLE: Act = {
  by: 'system',
  type: 'journey_idle',
  data: { since: '2026-11-20T10:00:00.000Z' },
}

/** The acts that lead to each status. */
export const CASE_IN: Readonly<Record<CaseStatus, readonly Act[]>> = {
  intake: upTo('contact'),
  awaiting_customer: upTo('presentStatus'),
  customer_active: upTo('acknowledgeStatus'),
  quote_ready: upTo('confirmSummary'),
  submitting: upTo('submit'),
  waterfall_running: [...upTo('submit'), RECORDED.counter, REFUSE],
  awaiting_counter_decision: [...upTo('submit'), RECORDED.counter],
  selected: [...upTo('submit'), RECORDED.approved],
  declined: [...upTo('submit'), RECORDED.exhausted],
  ineligible: [...upTo('acknowledgeStatus'), INELIGIBLE],
  withdrawn: [...upTo('quote'), WITHDRAW],
  complete: [...upTo('submit'), RECORDED.approved, SELECT, COMPLETE],
}
