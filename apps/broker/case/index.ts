/**
 * The broker's domain: the state of a case, its event types with their emitters and guards, its rules
 * and effects, and the view of each role.
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
export { SEED_POINTS_MAX, hydrationSource, seedSource } from './events/system.ts'
export type { SeedHead } from './events/system.ts'
export { CASE_GATES, missingForLink, nextGate } from './gates.ts'
export type { CaseGate } from './gates.ts'
export { BATTERY_KWH_MAX, PROJECT_POUNDS_MAX, SYSTEM_KWP_MAX } from './limits.ts'
export { normaliseMobile } from './mobile.ts'
export { recordView } from './record-view.ts'
export type {
  CaseState,
  CustomerContact,
  EligibilityFacts,
  Offer,
  ProductSpec,
  ProjectFacts,
  WaterfallResult,
} from './state.ts'
export { waterfallRunner } from './waterfall-runner.ts'
