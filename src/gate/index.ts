/**
 * The one write path: proposals are decided on the current state and appended in one batch with the
 * rules' events and a caller's activity. Refused proposals are appended with their reason. It knows a
 * log, a domain and each event's origin; it must know nothing else of HTTP, models or rules.
 *
 * @module
 */
export type { Answer, Commit, CommitOptions } from './commit.ts'
export { COMMIT_RETRIES_MAX, Gate } from './gate.ts'
export type { GateParts } from './gate.ts'
export {
  GateError,
  keyReused,
  recordedDigest,
  requestEvent,
  requireSameRequest,
} from './keyed-request.ts'
export type { KeyedRequest } from './keyed-request.ts'
export type { Proposed } from './identify.ts'
export type { GateProposal, Planned } from './plan.ts'
export { stableId } from './stable-id.ts'
export { ThreadQueue } from './thread-queue.ts'
