import type { DisclosureId } from '../disclosures/index.ts'
import { isTerminal } from './state.ts'
import type { CaseState, CaseStatus, ConsentRecord, DisclosureRecord } from './state.ts'

/** The steps that a case can wait for, in the order of the journey. */
export const CASE_GATES = [
  'handoff',
  'disclosure:service_status',
  'eligibility',
  'quote',
  'email',
  'details',
  'vulnerability',
  'disclosure:credit_search_consent',
  'consent_refused',
  'disclosure:pre_contract_summary',
  'submit',
  'waterfall',
  'counter',
  'accept',
  'complete',
  'closed',
] as const
export type CaseGate = (typeof CASE_GATES)[number]

interface CustomerStep {
  readonly gate: CaseGate
  readonly met: (state: CaseState) => boolean
  readonly missing: string
  /** The customer may leave it for later without holding anything up. */
  readonly optional?: true
}

const CUSTOMER_STEPS: readonly CustomerStep[] = [
  {
    gate: 'disclosure:service_status',
    met: (state) => isAcknowledged(state, 'service_status'),
    missing: 'the customer has not acknowledged service_status',
  },
  {
    gate: 'eligibility',
    met: isEligible,
    missing: 'the customer has not answered the four eligibility questions with yes',
  },
  {
    gate: 'quote',
    met: (state) => state.provisionalQuote !== undefined,
    missing: 'the customer has not chosen a quote',
  },
  {
    gate: 'email',
    met: (state) => state.emailPreference !== undefined,
    missing: 'the customer has not said whether to get an email copy',
    optional: true,
  },
  {
    gate: 'details',
    met: (state) => missingDetails(state).length === 0,
    missing: 'the application form is not complete',
  },
  {
    gate: 'vulnerability',
    met: (state) => state.financial.vulnerabilityCapturedAt !== undefined,
    missing: 'the customer has not been asked about support needs',
  },
  {
    gate: 'disclosure:credit_search_consent',
    met: (state) => creditSearchConsent(state) !== undefined,
    missing: 'the customer has not decided on the credit search',
  },
  {
    gate: 'consent_refused',
    met: isCreditSearchGranted,
    missing: 'the customer has refused the credit search',
  },
  {
    gate: 'disclosure:pre_contract_summary',
    met: (state) => isAcknowledged(state, 'pre_contract_summary'),
    missing: 'the customer has not confirmed pre_contract_summary',
  },
]

const GATE_OF_STATUS: Readonly<Partial<Record<CaseStatus, CaseGate>>> = {
  intake: 'handoff',
  submitting: 'waterfall',
  waterfall_running: 'waterfall',
  awaiting_counter_decision: 'counter',
}

/** Says what the case waits for now. */
export function nextGate(state: CaseState): CaseGate {
  if (state.status === 'selected') return state.caseOutcome ? 'complete' : 'accept'
  if (isLocked(state)) return 'closed'
  return GATE_OF_STATUS[state.status] ?? firstUnmet(state) ?? 'submit'
}

function firstUnmet(state: CaseState): CaseGate | undefined {
  return CUSTOMER_STEPS.find((step) => !step.met(state))?.gate
}

/** An ended case takes no more changes. */
export function isLocked(state: CaseState): boolean {
  return state.caseOutcome !== undefined || isTerminal(state.status)
}

/** Names the fields of the application form that are still empty. */
export function missingDetails({ personal, financial, contact }: CaseState): readonly string[] {
  const needed = {
    'personal.fullName': personal.fullName,
    'personal.dateOfBirth': personal.dateOfBirth,
    'personal.postcode': personal.postcode,
    'personal.addressLine1': personal.addressLine1,
    'personal.town': personal.town,
    'financial.employmentStatus': financial.employmentStatus,
    'financial.annualIncome': financial.annualIncome,
    'financial.monthlyOutgoings': financial.monthlyOutgoings,
    'contact.mobile': contact.mobile,
  }
  return namesWithout(needed)
}

/** Names what the installer has still to give before the customer can be sent a link. */
export function missingForLink({ contact, project }: CaseState): readonly string[] {
  return namesWithout({
    mobile: contact.mobile,
    'first name': contact.firstName,
    email: contact.email,
    'project value': project.projectValue,
    deposit: project.depositAmount,
    product: project.productSpec,
  })
}

function namesWithout(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(values).filter((name) => values[name] === undefined)
}

/** Says why a disclosure may not be shown yet; none when its turn has come. */
export function missingBeforeDisclosure(state: CaseState, id: DisclosureId): string | undefined {
  switch (id) {
    case 'service_status':
      return undefined
    case 'credit_search_consent':
      return missingBefore(state, 'disclosure:credit_search_consent')
    case 'pre_contract_summary':
      // Rule R2 shows it as soon as the grant is there, and must never be refused.
      return isCreditSearchGranted(state) ? undefined : 'the credit search has not been granted'
    case 'decline_signposting':
      return 'it belongs to declined cases, which take no more changes'
  }
}

function missingBefore(state: CaseState, gate: CaseGate): string | undefined {
  const until = CUSTOMER_STEPS.findIndex((step) => step.gate === gate)
  const unmet = CUSTOMER_STEPS.slice(0, until).find((step) => !step.optional && !step.met(state))
  return unmet?.missing
}

/** Says what an application still lacks; none when it may be submitted. */
export function missingForSubmission(state: CaseState): readonly string[] {
  const gaps: readonly (readonly [met: boolean, missing: string])[] = [
    [isCreditSearchGranted(state), 'the credit search has not been granted'],
    [isAcknowledged(state, 'pre_contract_summary'), 'pre_contract_summary is not confirmed'],
    [state.personal.fullName !== undefined, 'the full name is not known'],
    [state.financial.employmentStatus !== undefined, 'the employment status is not known'],
    [state.provisionalQuote !== undefined, 'there is no quote'],
    [state.waterfall === undefined, 'lenders have already been asked'],
    [state.status === 'quote_ready', `the case is "${state.status}"`],
  ]
  return gaps.filter(([met]) => !met).map(([, missing]) => missing)
}

export function isEligible({ eligibility }: CaseState): boolean {
  if (!eligibility) return false
  const { isOver18, isUkResident, isHomeowner, isEmployed } = eligibility
  return isOver18 && isUkResident && isHomeowner && isEmployed
}

export function presented(state: CaseState, id: string): DisclosureRecord | undefined {
  return state.disclosures.find((record) => record.id === id)
}

export function isAcknowledged(state: CaseState, id: DisclosureId): boolean {
  return presented(state, id)?.acknowledgedAt !== undefined
}

export function creditSearchConsent({ consents }: CaseState): ConsentRecord | undefined {
  return consents.find((consent) => consent.type === 'credit_search')
}

export function isCreditSearchGranted(state: CaseState): boolean {
  return creditSearchConsent(state)?.granted === true
}
