/** Types that people, the model and the rules may propose, in the order of the journey. */
export const BROKER_EVENT_TYPES = [
  'record_project_facts',
  'record_customer_contact',
  'generate_customer_link',
  'installer_handoff_complete',
  'record_eligibility',
  'record_provisional_quote',
  'record_email_preference',
  'record_personal_facts',
  'record_financial_facts',
  'record_vulnerability_indicators',
  'present_disclosure',
  'acknowledge_disclosure',
  'capture_consent',
  'submit_application',
  'accept_counter_offer',
  'refuse_counter_offer',
  'select_offer',
  'withdraw',
  'case_outcome',
  'case_complete',
  'request_decision',
] as const
export type BrokerEventType = (typeof BROKER_EVENT_TYPES)[number]

/** Types that only the server records. */
export const BROKER_SYSTEM_TYPES = [
  'case_created',
  'case_hydrated',
  'waterfall_recorded',
  'journey_idle',
] as const
export type BrokerSystemType = (typeof BROKER_SYSTEM_TYPES)[number]

/** Types that readers of the audit record. */
export const BROKER_AUDIT_TYPES = ['reveal_personal_data'] as const
export type BrokerAuditType = (typeof BROKER_AUDIT_TYPES)[number]
