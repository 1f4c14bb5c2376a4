/**
 * The team's 21 stored event types, and the state that they make: the open session, the agents, the messages
 * that wait, the artifacts. Everything here is pure. It must never know how a program's output is read.
 *
 * @module
 */
export { isSpent, percentSpent, withBudget } from './budget.ts'
export type { SessionBudget } from './budget.ts'
export { BUDGET_TOKENS_MAX, BUDGET_USD_MAX, budgetGiven } from './budget-payloads.ts'
export type { Budget, BudgetGiven } from './budget-payloads.ts'
export { LEAD_NAME } from './grid.ts'
export { TOOL_OUTPUT_CHARS_MAX } from './output.ts'
export { registerAgent, reportStatus, sleepAll } from './agents.ts'
export type { Agents, TeamAgent } from './agents.ts'
export { isConversation } from './conversation.ts'
export { declinedOffer, flatEvent, savedJob } from './flat-event.ts'
export {
  MESSAGE_CHARS_MAX,
  PAYLOADS,
  jobDraft,
  offerDeclined,
  offeredJob,
  wakePayload,
} from './payloads.ts'
export type {
  Ask,
  Block,
  DeclinedOffer,
  Payload,
  SavedJob,
  TeamEvent,
  TeamEventType,
  WakePayload,
} from './payloads.ts'
export {
  ALLOWED_INPUT_CHARS_MAX,
  RULE_CHARS_MAX,
  SHOWN_INPUT_CHARS_MAX,
  TOOL_NAME_CHARS_MAX,
  permissionAnswered,
} from './permission-payloads.ts'
export type { PermissionAnswer, SavedPermission, StandingRule } from './permission-payloads.ts'
export {
  PERMISSION_FAULTS,
  permissionFault,
  requireRule,
  requireRuleRoom,
  standingRule,
} from './permissions.ts'
export { DEATHS_MAX, INITIAL_STATE, WAITING_MAX, WAITING_TYPES } from './state.ts'
export type { TeamState, Waiting } from './state.ts'
export { isFinal, requireEndable, requireGoingOn } from './session-life.ts'
export { TEAM_THREAD, artifactOf, teamDomain } from './team-domain.ts'
export { requireRoom } from './waiting.ts'
