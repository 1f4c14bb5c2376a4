import { ThroughlineError } from '../assert/index.ts'

/** `invalid_fuzz`: what was given cannot be fuzzed. `missing_package`: fast-check is not installed. */
export type FuzzErrorCode = 'invalid_fuzz' | 'missing_package'

/** What cannot be fuzzed, and why. */
export class FuzzError extends ThroughlineError<FuzzErrorCode> {
  override readonly name = 'FuzzError'
}
