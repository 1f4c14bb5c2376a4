import type { BrokerEventType, BrokerSystemType } from './event-names.ts'

/**
 * The places of personal data in a case. Times and kinds stay: an audit reads them before a reveal.
 */
export const PERSONAL_IN_CASE = [
  'contact',
  'personal',
  'financial.employmentStatus',
  'financial.annualIncome',
  'financial.monthlyOutgoings',
  'financial.existingCommitments',
  'financial.vulnerabilityIndicators',
  'financial.vulnerabilityNote',
  'eligibility.isOver18',
  'eligibility.isUkResident',
  'eligibility.isHomeowner',
  'eligibility.isEmployed',
  'emailPreference.email',
  'caseOutcome.reason',
].map((path) => `case.${path}`)

/** The members of events that hold personal data: whoever reads redacted does not see them. */
export const PERSONAL_MEMBERS = {
  record_customer_contact: ['firstName', 'lastName', 'email', 'mobile'],
  record_eligibility: ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'],
  record_email_preference: ['email'],
  record_personal_facts: [
    'fullName',
    'dateOfBirth',
    'postcode',
    'addressLine1',
    'addressLine2',
    'town',
    'county',
    'propertyType',
    'residentialStatus',
  ],
  record_financial_facts: [
    'employmentStatus',
    'annualIncome',
    'monthlyOutgoings',
    'existingCommitments',
  ],
  record_vulnerability_indicators: ['indicators', 'note'],
  withdraw: ['reason'],
  case_outcome: ['reason'],
  case_hydrated: PERSONAL_IN_CASE,
} satisfies Partial<Record<BrokerEventType | BrokerSystemType, readonly string[]>>
