import type {
  CaseState,
  ConsentRecord,
  EligibilityFacts,
  FinancialFacts,
  PersonalFacts,
  ProductCode,
  ProjectFacts,
  ProvisionalQuote,
} from '../case/state.ts'

/**
 * All that a lender gets: structured facts, and of vulnerability only that it was asked about
 * and a count. An alias, so that it is assignable to JSON.
 */
export type ApplicationPayload = {
  readonly applicationId: string
  readonly brokerCaseId: string
  readonly productCode: ProductCode
  readonly retailerName: string
  readonly submittedAt: string
  readonly project: ProjectFacts
  readonly requested: RequestedCredit
  readonly eligibility: EligibilityFacts
  readonly personal: PersonalFacts
  readonly financial: StatedFinances
  readonly consents: readonly Omit<ConsentRecord, 'bound'>[]
  readonly disclosuresAcknowledged: readonly AcknowledgedDisclosure[]
  readonly vulnerability: { readonly probed: boolean; readonly indicatorCount: number }
}

type RequestedCredit = Pick<
  ProvisionalQuote,
  'amount' | 'termMonths' | 'indicativeAprPct' | 'monthlyPayment'
>

type StatedFinances = Pick<
  FinancialFacts,
  'employmentStatus' | 'annualIncome' | 'monthlyOutgoings' | 'existingCommitments'
>

type AcknowledgedDisclosure = {
  readonly id: string
  readonly version?: number
  readonly presentedAt: string
  readonly acknowledgedAt: string
}

export interface Submission {
  readonly applicationId: string
  readonly productCode: ProductCode
  readonly submittedAt: string
}

/**
 * Writes the application that one lender gets.
 *
 * A case without a quote, full eligibility or the customer's consent to a credit search has passed
 * a gate that it must not have passed: it throws, and nothing reaches a lender.
 */
export function applicationOf(caseState: CaseState, submission: Submission): ApplicationPayload {
  // Named one by one: a new member of a consent stays here until it is added.
  const granted = caseState.consents
    .filter((consent) => consent.granted)
    .map(({ type, granted: yes, capturedAt }) => ({ type, granted: yes, capturedAt }))
  if (!granted.some((consent) => consent.type === 'credit_search')) {
    throw new Error('Cannot apply: the case holds no consent to a credit search')
  }
  return {
    ...submission,
    brokerCaseId: caseState.sessionId,
    retailerName: caseState.retailerName,
    project: caseState.project,
    requested: requestedCredit(caseState.provisionalQuote),
    eligibility: fullEligibility(caseState.eligibility),
    personal: caseState.personal,
    financial: statedFinances(caseState.financial),
    consents: granted,
    disclosuresAcknowledged: caseState.disclosures.flatMap(acknowledged),
    vulnerability: {
      probed: caseState.financial.vulnerabilityCapturedAt !== undefined,
      indicatorCount: caseState.financial.vulnerabilityIndicators?.length ?? 0,
    },
  }
}

function requestedCredit(quote: ProvisionalQuote | undefined): RequestedCredit {
  if (!quote) throw new Error('Cannot apply: the case holds no quote')
  const { amount, termMonths, indicativeAprPct, monthlyPayment } = quote
  return { amount, termMonths, indicativeAprPct, monthlyPayment }
}

function fullEligibility(eligibility: EligibilityFacts | undefined): EligibilityFacts {
  if (!eligibility) throw new Error('Cannot apply: eligibility was not asked about')
  const { isOver18, isUkResident, isHomeowner, isEmployed } = eligibility
  if (isOver18 && isUkResident && isHomeowner && isEmployed) return eligibility
  throw new Error('Cannot apply: the customer is not eligible')
}

// Named one by one: a new financial fact of a case stays here until it is added.
function statedFinances(facts: FinancialFacts): StatedFinances {
  const { employmentStatus, annualIncome, monthlyOutgoings, existingCommitments } = facts
  return {
    ...(employmentStatus !== undefined && { employmentStatus }),
    ...(annualIncome !== undefined && { annualIncome }),
    ...(monthlyOutgoings !== undefined && { monthlyOutgoings }),
    ...(existingCommitments !== undefined && { existingCommitments }),
  }
}

function acknowledged(record: CaseState['disclosures'][number]): AcknowledgedDisclosure[] {
  const { id, version, presentedAt, acknowledgedAt } = record
  if (acknowledgedAt === undefined) return []
  return [{ id, presentedAt, acknowledgedAt, ...(version !== undefined && { version }) }]
}
