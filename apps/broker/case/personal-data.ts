import type { BrokerEventType, BrokerSystemType } from './event-names.ts'

/** The members of events that hold personal data. The audit page hides them until they are revealed. */
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
  case_hydrated: ['case'],
} as const satisfies Partial<Record<BrokerEventType | BrokerSystemType, readonly string[]>>

/** The paths of those events' data in a case. */
export const PERSONAL_IN_CASE = [
  'contact',
  'personal',
  'financial',
  'eligibility',
  'emailPreference.email',
  'caseOutcome.reason',
] as const
