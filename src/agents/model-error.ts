export type ModelErrorCode = 'provider' | 'timeout' | 'cancelled' | 'truncated' | 'too_large'

/** A model call that did not end well. Nothing it proposed counts; what it said stays in the record. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
