import { z } from 'zod'
import { normalisePostcode } from '../../addresses/index.ts'
import { CUSTOMER_PAGE } from '../authority.ts'
import { broker, changeCase, isoTime } from '../case-domain.ts'
import {
  ADDRESS_LINE_LENGTH_MAX,
  INCOME_POUNDS_MAX,
  NAME_LENGTH_MAX,
  VULNERABILITY_NOTE_LENGTH_MAX,
} from '../limits.ts'
import { blankLine, line, pounds, prose } from '../payload-fields.ts'
import { PERSONAL_MEMBERS } from '../personal-data.ts'
import { refuse, refuseLocked, refuseOnceSubmitted } from '../refusals.ts'
import { EMPLOYMENT_STATUSES, PROPERTY_TYPES, RESIDENTIAL_STATUSES } from '../state.ts'
import type { CaseState, CaseStatus, FinancialFacts } from '../state.ts'

const ADULT_YEARS = 18
const BORN_MIN = '1900-01-01'
const COMMITMENTS_LENGTH_MAX = 1_000
const POSTCODE_LENGTH_MAX = 16

/** Self-declared by the customer; nothing else is ever inferred or recorded. */
export const VULNERABILITY_INDICATORS = [
  'financial_difficulty',
  'long_term_health_condition',
  'recent_life_event',
  'english_not_first_language',
  'support_needed_before_signing',
] as const

const personalFacts = z.object({
  fullName: line(NAME_LENGTH_MAX).exactOptional(),
  dateOfBirth: z.iso
    .date()
    .refine((born) => born >= BORN_MIN, `must not be before ${BORN_MIN}`)
    .exactOptional(),
  postcode: line(POSTCODE_LENGTH_MAX)
    .refine(normalisePostcode, 'must be a UK postcode')
    .exactOptional(),
  addressLine1: line(ADDRESS_LINE_LENGTH_MAX).exactOptional(),
  addressLine2: blankLine(ADDRESS_LINE_LENGTH_MAX).exactOptional(),
  town: line(ADDRESS_LINE_LENGTH_MAX).exactOptional(),
  county: blankLine(ADDRESS_LINE_LENGTH_MAX).exactOptional(),
  propertyType: z.enum(PROPERTY_TYPES).exactOptional(),
  residentialStatus: z.enum(RESIDENTIAL_STATUSES).exactOptional(),
})

const financialFacts = z.object({
  employmentStatus: z.enum(EMPLOYMENT_STATUSES).exactOptional(),
  annualIncome: pounds(INCOME_POUNDS_MAX).exactOptional(),
  monthlyOutgoings: pounds(INCOME_POUNDS_MAX).exactOptional(),
  existingCommitments: prose(COMMITMENTS_LENGTH_MAX).exactOptional(),
})

const vulnerability = z.object({
  indicators: z
    .array(z.enum(VULNERABILITY_INDICATORS))
    .max(VULNERABILITY_INDICATORS.length)
    .refine((ids) => new Set(ids).size === ids.length, 'must not repeat an indicator'),
  note: prose(VULNERABILITY_NOTE_LENGTH_MAX).exactOptional(),
})

export const applicationDetailEvents = {
  record_personal_facts: broker.event({
    schema: personalFacts,
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }, { dateOfBirth }, at) => {
      const closed = refuseLocked(state) ?? refuseOnceSubmitted(state)
      if (closed || dateOfBirth === undefined) return closed
      if (ageInYears(dateOfBirth, isoTime(at)) >= ADULT_YEARS) return undefined
      return refuse('precondition', `The customer must be at least ${ADULT_YEARS} years old`)
    },
    complete: ({ postcode, ...facts }) => {
      const normalised = postcode && normalisePostcode(postcode)
      return { ...facts, ...(normalised && { postcode: normalised }) }
    },
    reduce: (state, facts, fact) => {
      const personal = { ...state.case.personal, ...facts }
      return changeCase(state, { personal, status: onceActive(state.case) }, fact)
    },
    personal: PERSONAL_MEMBERS.record_personal_facts,
  }),
  record_financial_facts: broker.event({
    schema: financialFacts,
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) => refuseLocked(state) ?? refuseOnceSubmitted(state),
    reduce: (state, facts, fact) => {
      const financial = { ...state.case.financial, ...facts }
      return changeCase(state, { financial, status: onceActive(state.case) }, fact)
    },
    personal: PERSONAL_MEMBERS.record_financial_facts,
  }),
  record_vulnerability_indicators: broker.event({
    schema: vulnerability,
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) => refuseLocked(state),
    reduce: (state, { indicators, note }, fact) => {
      const financial = {
        ...withoutNote(state.case.financial),
        vulnerabilityIndicators: indicators,
        ...(note !== undefined && { vulnerabilityNote: note }),
        vulnerabilityCapturedAt: isoTime(fact),
      }
      return changeCase(state, { financial }, fact)
    },
    personal: PERSONAL_MEMBERS.record_vulnerability_indicators,
  }),
}

function withoutNote({ vulnerabilityNote: _replaced, ...rest }: FinancialFacts) {
  return rest
}

/** The status after something that only the customer can have done. */
function onceActive({ status }: CaseState): CaseStatus {
  return status === 'awaiting_customer' ? 'customer_active' : status
}

/** Dates compare as text: a person born on 29 February turns older on 1 March. */
function ageInYears(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4))
  return today.slice(5, 10) < born.slice(5, 10) ? years - 1 : years
}
