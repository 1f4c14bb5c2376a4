/**
 * The one write path: proposals are decided on the current state and appended in one batch with the
 * rules' events and a caller's activity. Refused proposals are appended with their reason. It knows a
 * log, a domain and each event's origin; it must know nothing else of HTTP, models or rules.
 *
 * @module
 */
export { refusedIn } from './commit.ts'
export type { Commit, CommitOptions, RefusedProposal } from './commit.ts'
export { COMMIT_RETRIES_MAX, Gate } from './gate.ts'

export {
  GateError,
  keyReused,
  recordedDigest,
  requestEvent,
  requireSameRequest,
} from './keyed-request.ts'
export type { GateErrorCode } from './keyed-request.ts'

export type { GateProposal } from './plan.ts'
export { stableId } from './stable-id.ts'
export { ThreadQueue } from './thread-queue.ts'
