import { ThroughlineError } from '../assert/index.ts'

export type ReplayErrorCode =
  | 'no_definition'
  | 'no_store'
  | 'invalid_fork'
  | 'differs'
  | 'unrecorded'

/** What cannot be replayed or forked, and why. */
export class ReplayError extends ThroughlineError<ReplayErrorCode> {
  override readonly name = 'ReplayError'
}
