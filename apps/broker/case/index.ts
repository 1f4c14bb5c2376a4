/**
 * The broker's domain: what a case is, every event that may change it, who may propose it and when,
 * what follows from it, and what each role may see of it.
 * Nothing else writes a case. A regulated fact comes from the customer's own page: the model and the
 * rules never create one. Amounts are worked out here, never taken from a page or a model.
 * It must never know where a case is stored, what the model said, or who decides behind the panel.
 *
 * @module
 */
export { brokerDomain } from './broker-domain.ts'
export { NO_CASE } from './case-domain.ts'
export type { BrokerState } from './case-domain.ts'
export { caseView } from './case-view.ts'
export type {
  CaseRole,
  CaseViews,
  CustomerCase,
  CustomerWaterfall,
  InstallerCase,
} from './case-view.ts'
export { BROKER_EVENT_TYPES, BROKER_SYSTEM_TYPES } from './event-names.ts'
export type { BrokerEventType, BrokerSystemType } from './event-names.ts'
export { VULNERABILITY_INDICATORS } from './events/application-details.ts'
export type { VulnerabilityIndicator } from './events/application-details.ts'
export {
  CASE_GATES,
  isLocked,
  missingDetails,
  missingForLink,
  missingForSubmission,
  nextGate,
} from './gates.ts'
export type { CaseGate } from './gates.ts'
export { normaliseMobile } from './mobile.ts'
export { recordView } from './record-view.ts'
export { brokerRules } from './rules.ts'
export {
  CASE_OUTCOME_KINDS,
  CASE_STATUSES,
  CONSENT_TYPES,
  EMPLOYMENT_STATUSES,
  PRODUCT_SPECS,
  PROPERTY_TYPES,
  RESIDENTIAL_STATUSES,
} from './state.ts'
export type {
  CaseOutcomeKind,
  CaseOutcomeRecord,
  CaseState,
  CaseStatus,
  ChatMessage,
  ConsentRecord,
  ConsentType,
  CustomerContact,
  DisclosureRecord,
  EligibilityFacts,
  EmailPreference,
  EmploymentStatus,
  FinancialFacts,
  Offer,
  PanelPosition,
  PersonalFacts,
  ProductCode,
  ProductSpec,
  ProjectFacts,
  PropertyType,
  ProvisionalQuote,
  ResidentialStatus,
  WaterfallOutcome,
  WaterfallResult,
  WaterfallStep,
} from './state.ts'
export { waterfallEffect } from './waterfall-effect.ts'
export { waterfallRunner } from './waterfall-runner.ts'
