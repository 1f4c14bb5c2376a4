/**
 * The one write path: proposals are decided on the current state and appended with what the rules
 * derive from them. What is refused is appended too, with its reason. It knows a log and a domain; it must
 * never know who is asking (HTTP, a model, a rule) beyond the origin it is given.
 *
 * @module
 */
export { COMMIT_RETRIES_MAX, Gate } from './gate.ts'
export type { Answer, Commit, CommitOptions, GateParts } from './gate.ts'
export {
  GateError,
  keyReused,
  recordedDigest,
  requestEvent,
  requireSameRequest,
} from './keyed-request.ts'
export type { KeyedRequest } from './keyed-request.ts'
export type { GateProposal } from './plan.ts'
export { stableId } from './stable-id.ts'
