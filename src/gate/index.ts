/**
 * The one write path: proposals are decided on the current state, appended with what the rules derive
 * from them, and folded. What is refused is appended too, with its reason. It knows a log and a
 * domain; it must never know who is asking (HTTP, a model, a rule) beyond the origin it is given.
 *
 * @module
 */
export { FOREIGN_TAGS_MAX, FOREIGN_TAG_CHARS_MAX, isEcho } from './echoes.ts'
export type { Echoes } from './echoes.ts'
export { COMMIT_RETRIES_MAX, Gate, THREADS_CACHED_MAX } from './gate.ts'
export type { Answer, Commit, CommitOptions, GateParts } from './gate.ts'
export { HIDDEN_DEPTH_MAX, neutralise } from './hidden-tags.ts'
export { FOLDS_VERSION, SNAPSHOT_CHARS_MAX, SNAPSHOT_RECORDS } from './kept-snapshots.ts'
export type { SnapshotUse } from './kept-snapshots.ts'
export {
  GateError,
  keyReused,
  recordedDigest,
  requestEvent,
  requireSameRequest,
} from './keyed-request.ts'
export type { KeyedRequest } from './keyed-request.ts'
export { Pace, SLICE_MAX_MS } from './pace.ts'
export type { GateProposal } from './plan.ts'
export type { Snapshot } from './snapshot.ts'
