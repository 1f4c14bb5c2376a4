export type DefinitionErrorCode =
  | 'reserved_name'
  | 'duplicate_name'
  | 'invalid_event'
  | 'unknown_part'
  | 'invalid_personal'
  | 'missing_runner'
  | 'invalid_runner'

/** A definition that cannot be used; its message names the change to make. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly code: DefinitionErrorCode

  constructor(code: DefinitionErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
