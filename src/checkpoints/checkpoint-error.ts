import { ThroughlineError } from '../assert/index.ts'

/**
 * `invalid_key`: it is no Ed25519 key of a signed note. `invalid_checkpoint`: a text is none, or not signed by the
 * key. `not_consistent`: one does not go on from another. `not_witnessed`: a witness has not signed one. `unknown_size`, `unknown_thread`: there is no such one.
 */
export type CheckpointErrorCode =
  | 'invalid_key'
  | 'invalid_checkpoint'
  | 'not_consistent'
  | 'not_witnessed'
  | 'unknown_size'
  | 'unknown_thread'

/** What cannot be signed, proven or believed, and why. */
export class CheckpointError extends ThroughlineError<CheckpointErrorCode> {
  override readonly name = 'CheckpointError'
}
