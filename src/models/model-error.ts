import { ThroughlineError } from '../assert/index.ts'
import { thrownMember } from '../json/index.ts'
import { retryAfterMs } from './retry-after.ts'

export type ModelErrorCode =
  | 'provider'
  | 'timeout'
  | 'cancelled'
  | 'truncated'
  /** It ended well with no text, no tool call and no tag. */
  | 'empty'
  /** It ended well with files alone, such as an image. */
  | 'files_only'
  | 'too_large'
  /** The prompt is longer than the model's window. */
  | 'context_exceeded'
  /** The model declined, or the provider's filter did. */
  | 'refused'

/** A provider that asks for more than this is not asked again in the same turn. */
export const MODEL_RETRY_AFTER_MAX_MS = 20_000

/** A model call that failed. Its proposals do not count; its text stays on record. */
export class ModelError extends ThroughlineError<ModelErrorCode> {
  override readonly name = 'ModelError'
  /** Whether the same call may well succeed the next time. */
  readonly retryable: boolean
  /** How long the provider asks to be left alone, in milliseconds; 0 when it does not say. */
  readonly retryAfterMs: number

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
    this.retryAfterMs = retryAfterMs(options?.cause)
    this.retryable =
      isRetryable(code, options?.cause) && this.retryAfterMs <= MODEL_RETRY_AFTER_MAX_MS
  }
}

/** The same words asked again are refused again. */
const NO_USE: ReadonlySet<ModelErrorCode> = new Set([
  'cancelled',
  'too_large',
  'files_only',
  'context_exceeded',
  'refused',
])

/** Providers mark the errors that it is no use to repeat; what they do not mark may be. */
function isRetryable(code: ModelErrorCode, cause: unknown): boolean {
  if (NO_USE.has(code)) return false
  if (thrownMember(cause, 'isRetryable') === false || isOutOfQuota(cause)) return false
  const told = [thrownMember(cause, 'statusCode'), thrownMember(cause, 'status')]
  const status = told.find((each) => typeof each === 'number')
  return status === undefined || status < 400 || status >= 500 || MAY_PASS.has(status)
}

/** A timeout, a conflict, too many requests. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 409, 429])

/** OpenAI answers 429 to what only a payment mends. */
function isOutOfQuota(cause: unknown): boolean {
  return ['code', 'type'].some((name) => thrownMember(cause, name) === 'insufficient_quota')
}

/** How providers say that a prompt is longer than the window: OpenAI, Anthropic, Google, Mistral, Bedrock, llama.cpp. */
const TOO_LONG =
  /context[ _](?:length|window|size)|(?:prompt|input) is too long|maximum (?:context|prompt) length|token count .{0,60}exceeds the maximum/i
const SAID_CHARS_MAX = 2_000

/** Whether a provider refused a prompt because it is longer than the model's window. */
export function exceedsContext(cause: unknown): boolean {
  const status = thrownMember(cause, 'statusCode') ?? thrownMember(cause, 'status')
  // Rate limits count tokens too, and pass.
  if (typeof status === 'number' && (status === 429 || status >= 500)) return false
  if (thrownMember(cause, 'code') === 'context_length_exceeded') return true
  const said = [thrownMember(cause, 'message'), thrownMember(cause, 'responseBody')]
  return said.some(
    (text) => typeof text === 'string' && TOO_LONG.test(text.slice(0, SAID_CHARS_MAX)),
  )
}
