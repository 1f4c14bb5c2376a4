// Every shape is an alias, not an interface: only an alias is assignable to the log's `Json`.
// Amounts are pounds, times are ISO-8601 in UTC.

export const CASE_STATUSES = [
  'intake',
  'awaiting_customer',
  'customer_active',
  'quote_ready',
  'submitting',
  'waterfall_running',
  'awaiting_counter_decision',
  'selected',
  'declined',
  'ineligible',
  'withdrawn',
  'complete',
] as const
export type CaseStatus = (typeof CASE_STATUSES)[number]

const TERMINAL: readonly string[] = [
  'declined',
  'ineligible',
  'withdrawn',
  'complete',
] satisfies readonly CaseStatus[]

/** Nothing leads out of it. */
export function isTerminal(status: string): boolean {
  return TERMINAL.includes(status)
}

export type CaseState = {
  readonly sessionId: string
  readonly retailerName: string
  readonly status: CaseStatus
  readonly project: ProjectFacts
  readonly contact: CustomerContact
  readonly personal: PersonalFacts
  readonly financial: FinancialFacts
  readonly eligibility?: EligibilityFacts
  readonly provisionalQuote?: ProvisionalQuote
  readonly emailPreference?: EmailPreference
  readonly disclosures: readonly DisclosureRecord[]
  readonly consents: readonly ConsentRecord[]
  readonly waterfall?: WaterfallResult
  readonly selectedOfferId?: string
  readonly caseOutcome?: CaseOutcomeRecord
  readonly installerHandoffComplete: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export const PRODUCT_SPECS = [
  'panels_only',
  'panels_battery',
  'panels_battery_ev',
  'panels_battery_ev_other',
] as const
export type ProductSpec = (typeof PRODUCT_SPECS)[number]

export type ProjectFacts = {
  readonly projectValue?: number
  readonly depositAmount?: number
  readonly depositPct?: number
  readonly netLoanAmount?: number
  readonly productSpec?: ProductSpec
  readonly systemKwp?: number
  readonly batteryKwh?: number
}

export type CustomerContact = {
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly mobile?: string
}

export const PROPERTY_TYPES = ['Detached', 'Semi-detached', 'Terraced', 'Flat', 'Bungalow'] as const
export type PropertyType = (typeof PROPERTY_TYPES)[number]

export const RESIDENTIAL_STATUSES = ['Owner', 'Mortgaged', 'Tenant', 'Other'] as const
export type ResidentialStatus = (typeof RESIDENTIAL_STATUSES)[number]

export type PersonalFacts = {
  readonly fullName?: string
  /** YYYY-MM-DD */
  readonly dateOfBirth?: string
  readonly postcode?: string
  readonly addressLine1?: string
  readonly addressLine2?: string
  readonly town?: string
  readonly county?: string
  readonly propertyType?: PropertyType
  readonly residentialStatus?: ResidentialStatus
}

export const EMPLOYMENT_STATUSES = [
  'Employed',
  'Self-employed',
  'Retired',
  'Unemployed',
  'Other',
] as const
export type EmploymentStatus = (typeof EMPLOYMENT_STATUSES)[number]

export type FinancialFacts = {
  readonly employmentStatus?: EmploymentStatus
  /** Gross, a year. */
  readonly annualIncome?: number
  readonly monthlyOutgoings?: number
  /** The customer's own words; no rule reads them. */
  readonly existingCommitments?: string
  readonly vulnerabilityIndicators?: readonly string[]
  readonly vulnerabilityNote?: string
  /** Set as soon as the customer was asked, also when the answer was "none". */
  readonly vulnerabilityCapturedAt?: string
}

export type EligibilityFacts = {
  readonly isOver18: boolean
  readonly isUkResident: boolean
  readonly isHomeowner: boolean
  readonly isEmployed: boolean
  readonly capturedAt: string
}

export type ProvisionalQuote = {
  readonly amount: number
  readonly termMonths: number
  readonly indicativeAprPct: number
  readonly monthlyPayment: number
  readonly totalPayable: number
  readonly estimatedMonthlySolarSavings?: number
  readonly capturedAt: string
}

export type EmailPreference = {
  readonly wantsEmailCopy: boolean
  readonly email?: string
  readonly capturedAt: string
}

export type PanelPosition = 'Prime Priority 1' | 'Prime Priority 2' | 'Sub-Prime 1' | 'Sub-Prime 2'
export type ProductCode = 'IFC' | 'BNPL' | 'IBC'

export type Offer = {
  readonly id: string
  readonly lender: string
  readonly position: PanelPosition
  readonly productCode: ProductCode
  readonly aprPct: number
  readonly termMonths: number
  readonly monthlyPayment: number
  readonly totalPayable: number
  readonly netLoanAmount: number
  readonly estimatedMonthlySolarSavings?: number
  /** The payment less the estimated savings. */
  readonly netCostPerMonth?: number
}

export type DisclosureRecord = {
  readonly id: string
  readonly presentedAt: string
  readonly acknowledgedAt?: string
  readonly version?: number
  readonly contentHash?: string
  /** The id of the record that presented it. */
  readonly record?: string
  /** Whether the acknowledgement named the text that was presented; older cases do not say. */
  readonly bound?: boolean
}

export const CONSENT_TYPES = ['credit_search', 'data_sharing', 'marketing'] as const
export type ConsentType = (typeof CONSENT_TYPES)[number]

export type ConsentRecord = {
  readonly type: ConsentType
  readonly granted: boolean
  readonly capturedAt: string
  /** Whether the answer named the text that was presented; older cases do not say. */
  readonly bound?: boolean
}

export type WaterfallResult = {
  readonly requestedQuote: ProvisionalQuote
  readonly steps: readonly WaterfallStep[]
  readonly acceptedOffer?: Offer
  readonly awaitingCounterDecision: boolean
  readonly exhausted: boolean
  readonly updatedAt: string
}

export type WaterfallStep = {
  readonly lender: string
  readonly position: string
  readonly outcome: WaterfallOutcome
  /** When the lender was asked, and when its answer was recorded; older cases do not say. */
  readonly askedAt?: string
  readonly answeredAt?: string
}

export type WaterfallOutcome =
  | { readonly kind: 'approved_as_requested'; readonly offer: Offer }
  | { readonly kind: 'approved_with_counter'; readonly offer: Offer; readonly reason: string }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string }

export const CASE_OUTCOME_KINDS = [
  'selected',
  'declined',
  'ineligible',
  'withdrawn',
  'completed',
] as const
export type CaseOutcomeKind = (typeof CASE_OUTCOME_KINDS)[number]

export type CaseOutcomeRecord = {
  readonly kind: CaseOutcomeKind
  readonly reason?: string
  readonly recordedAt: string
}

export type ChatMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly createdAt: string
}
