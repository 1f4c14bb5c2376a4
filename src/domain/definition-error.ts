import { ThroughlineError } from '../assert/index.ts'

export type DefinitionErrorCode =
  | 'reserved_name'
  | 'duplicate_name'
  | 'invalid_event'
  | 'unknown_part'
  | 'invalid_part'
  | 'invalid_state'
  | 'invalid_personal'
  | 'missing_runner'
  | 'invalid_runner'

/** A definition that cannot be used; its message names the change to make. */
export class DefinitionError extends ThroughlineError<DefinitionErrorCode> {
  override readonly name = 'DefinitionError'
}
