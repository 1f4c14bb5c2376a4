export type ModelErrorCode = 'provider' | 'timeout' | 'cancelled' | 'truncated' | 'too_large'

/** A provider that asks for more than this is not asked again in the same turn. */
export const MODEL_RETRY_AFTER_MAX_MS = 20_000

/** A model call that did not end well. Nothing it proposed counts; what it said stays in the record. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  /** Whether the same call may well succeed the next time. */
  readonly retryable: boolean
  /** How long the provider asks to be left alone, in milliseconds; 0 when it does not say. */
  readonly retryAfterMs: number

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.retryAfterMs = retryAfterMs(options?.cause)
    this.retryable =
      isRetryable(code, options?.cause) && this.retryAfterMs <= MODEL_RETRY_AFTER_MAX_MS
  }
}

/** Providers mark the errors that it is no use to repeat; what they do not mark may be. */
function isRetryable(code: ModelErrorCode, cause: unknown): boolean {
  if (code === 'cancelled' || code === 'too_large') return false
  const marked = cause instanceof Error && 'isRetryable' in cause ? cause.isRetryable : undefined
  return marked !== false
}

/** Both of HTTP's forms, seconds and a date, and the one in milliseconds that providers add. */
function retryAfterMs(cause: unknown): number {
  if (!(cause instanceof Error && 'responseHeaders' in cause)) return 0
  // What an `AI_APICallError` carries: names in lower case.
  const headers = (cause.responseHeaders ?? {}) as Readonly<Record<string, string>>
  const { 'retry-after-ms': ms = '', 'retry-after': after = '' } = headers
  const told = [Number(ms || NaN), Number(after || NaN) * 1_000, Date.parse(after) - Date.now()]
  return Math.max(0, told.find((each) => Number.isFinite(each)) ?? 0)
}
