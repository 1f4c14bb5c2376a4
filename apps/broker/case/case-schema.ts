import { z } from 'zod'
import { DEMO_SCENARIOS } from '../lenders/index.ts'
import { DEPOSIT_SAID_AS } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import {
  CASE_OUTCOME_KINDS,
  CASE_STATUSES,
  CONSENT_TYPES,
  EMPLOYMENT_STATUSES,
  PRODUCT_SPECS,
  PROPERTY_TYPES,
  RESIDENTIAL_STATUSES,
} from './state.ts'
import type { CaseState, WaterfallResult } from './state.ts'

// The broker wrote all of this itself; the bounds only keep a forged or broken copy small.
const TEXT_LENGTH_MAX = 2_000
const LIST_LENGTH_MAX = 64

const text = z.string().max(TEXT_LENGTH_MAX)
const textIfAny = text.exactOptional()
const time = z.iso.datetime()
const amount = z.number().min(0)
const amountIfAny = amount.exactOptional()
const count = z.int().min(0)
const flag = z.boolean()

const offer = z.object({
  id: text,
  lender: text,
  position: z.enum(['Prime Priority 1', 'Prime Priority 2', 'Sub-Prime 1', 'Sub-Prime 2']),
  productCode: z.enum(['IFC', 'BNPL', 'IBC']),
  aprPct: amount,
  termMonths: count,
  monthlyPayment: amount,
  totalPayable: amount,
  netLoanAmount: amount,
  estimatedMonthlySolarSavings: amountIfAny,
  netCostPerMonth: z.number().exactOptional(),
})

const provisionalQuote = z.object({
  amount,
  termMonths: count,
  indicativeAprPct: amount,
  monthlyPayment: amount,
  totalPayable: amount,
  estimatedMonthlySolarSavings: amountIfAny,
  capturedAt: time,
})

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approved_as_requested'), offer }),
  z.object({ kind: z.literal('approved_with_counter'), offer, reason: text }),
  z.object({ kind: z.literal('declined'), reason: text }),
  z.object({ kind: z.literal('unavailable'), reason: text }),
])

const waterfallStep = z.object({
  lender: text,
  position: text,
  outcome,
  askedAt: time.exactOptional(),
  answeredAt: time.exactOptional(),
})

export const waterfallResult = z.object({
  requestedQuote: provisionalQuote,
  steps: z.array(waterfallStep).max(LIST_LENGTH_MAX),
  acceptedOffer: offer.exactOptional(),
  awaitingCounterDecision: flag,
  exhausted: flag,
  updatedAt: time,
}) satisfies z.ZodType<WaterfallResult>

const project = z.object({
  projectValue: amountIfAny,
  depositAmount: amountIfAny,
  depositPct: amountIfAny,
  netLoanAmount: amountIfAny,
  productSpec: z.enum(PRODUCT_SPECS).exactOptional(),
  systemKwp: amountIfAny,
  batteryKwh: amountIfAny,
})

const contact = z.object({
  firstName: textIfAny,
  lastName: textIfAny,
  email: textIfAny,
  mobile: textIfAny,
})

const personal = z.object({
  fullName: textIfAny,
  dateOfBirth: textIfAny,
  postcode: textIfAny,
  addressLine1: textIfAny,
  addressLine2: textIfAny,
  town: textIfAny,
  county: textIfAny,
  propertyType: z.enum(PROPERTY_TYPES).exactOptional(),
  residentialStatus: z.enum(RESIDENTIAL_STATUSES).exactOptional(),
})

const financial = z.object({
  employmentStatus: z.enum(EMPLOYMENT_STATUSES).exactOptional(),
  annualIncome: amountIfAny,
  monthlyOutgoings: amountIfAny,
  existingCommitments: textIfAny,
  vulnerabilityIndicators: z.array(text).max(LIST_LENGTH_MAX).exactOptional(),
  vulnerabilityNote: textIfAny,
  vulnerabilityCapturedAt: time.exactOptional(),
})

const eligibility = z.object({
  isOver18: flag,
  isUkResident: flag,
  isHomeowner: flag,
  isEmployed: flag,
  capturedAt: time,
})

const disclosure = z.object({
  id: text,
  presentedAt: time,
  acknowledgedAt: time.exactOptional(),
  version: count.exactOptional(),
  contentHash: textIfAny,
  record: textIfAny,
  bound: flag.exactOptional(),
})

const consent = z.object({
  type: z.enum(CONSENT_TYPES),
  granted: flag,
  capturedAt: time,
  bound: flag.exactOptional(),
})

const caseState = z.object({
  sessionId: text.min(1),
  retailerName: text,
  status: z.enum(CASE_STATUSES),
  project,
  contact,
  personal,
  financial,
  eligibility: eligibility.exactOptional(),
  provisionalQuote: provisionalQuote.exactOptional(),
  emailPreference: z
    .object({ wantsEmailCopy: flag, email: textIfAny, capturedAt: time })
    .exactOptional(),
  disclosures: z.array(disclosure).max(LIST_LENGTH_MAX),
  consents: z.array(consent).max(LIST_LENGTH_MAX),
  waterfall: waterfallResult.exactOptional(),
  selectedOfferId: textIfAny,
  caseOutcome: z
    .object({ kind: z.enum(CASE_OUTCOME_KINDS), reason: textIfAny, recordedAt: time })
    .exactOptional(),
  installerHandoffComplete: flag,
  createdAt: time,
  updatedAt: time,
}) satisfies z.ZodType<CaseState>

/** The state in a recovery seed. */
export const brokerState = z.object({
  case: caseState,
  scenario: z.enum(DEMO_SCENARIOS).default('auto'),
  depositSaidAs: z.enum(DEPOSIT_SAID_AS).exactOptional(),
  demonstration: z.literal(true).exactOptional(),
  submission: z
    .object({ submittedAt: time, lenders: z.array(text).max(LIST_LENGTH_MAX) })
    .exactOptional(),
}) satisfies z.ZodType<BrokerState>
