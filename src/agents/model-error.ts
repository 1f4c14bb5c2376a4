export type ModelErrorCode = 'provider' | 'timeout' | 'cancelled' | 'truncated' | 'too_large'

/** A model call that did not end well. Nothing it proposed counts; what it said stays in the record. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  /** Whether the same call may well succeed the next time. */
  readonly retryable: boolean

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.retryable = isRetryable(code, options?.cause)
  }
}

/** Providers mark the errors that it is no use to repeat; what they do not mark may be. */
function isRetryable(code: ModelErrorCode, cause: unknown): boolean {
  if (code === 'cancelled' || code === 'too_large') return false
  const marked = cause instanceof Error && 'isRetryable' in cause ? cause.isRetryable : undefined
  return marked !== false
}
