import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from '../json/index.ts'
import { readText } from './body.ts'
import { ClientError } from './client-error.ts'
import type { Fetch } from './connection.ts'
import { parseJson } from './payload.ts'
import { problemError } from './problem.ts'

/** A POST of a turn is answered when the turn has ended, so this is long. */
const REQUEST_MAX_MS = 180_000
const ANSWER_CHARS_MAX = 16 * 1024 * 1024

export interface RequestOptions {
  /** Makes it a POST of this JSON; without it, it is a GET. */
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  /** Repeats of a request under one key take effect once. Whether to repeat is up to the caller. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly fetch?: Fetch
  readonly timeoutMs?: number
}

/**
 * Asks the server once and gives its JSON answer, `null` when that is empty; with a schema, what the schema
 * makes of it.
 *
 * @throws {@link ClientError} `problem`, `network`, `timeout`, `protocol`; the signal's reason once aborted
 */
export async function request<Schema extends StandardSchemaV1>(
  url: string,
  options: RequestOptions & { readonly schema: Schema },
): Promise<StandardSchemaV1.InferOutput<Schema>>
export async function request(url: string, options?: RequestOptions): Promise<Json>
export async function request(
  url: string,
  { schema, ...options }: RequestOptions & { readonly schema?: StandardSchemaV1 } = {},
): Promise<unknown> {
  const answer = await requestJson(url, options)
  if (!schema) return answer
  const read = await schema['~standard'].validate(answer)
  if (!read.issues) return read.value
  const [issue] = read.issues
  throw new ClientError('protocol', `Cannot read the answer: ${issue?.message}`)
}

async function requestJson(url: string, options: RequestOptions): Promise<Json> {
  const { signal, timeoutMs = REQUEST_MAX_MS } = options
  signal?.throwIfAborted()
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  const late = `no answer came for ${timeoutMs} ms`
  const timer = setTimeout(() => abort.abort(late), timeoutMs)
  signal?.addEventListener('abort', stop)
  try {
    return await ask(url, options, abort.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (abort.signal.reason === late) {
      throw new ClientError('timeout', `Cannot ask the server: ${late}`, { cause })
    }
    if (cause instanceof ClientError) throw cause
    throw new ClientError('network', 'Cannot ask the server: it is out of reach', { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function ask(url: string, options: RequestOptions, signal: AbortSignal): Promise<Json> {
  const { body, idempotencyKey: key, fetch: send = fetch } = options
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...options.headers,
  }
  const response = await send(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    signal,
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw await problemError(response, 'ask the server')
  const answer = await readText(response, ANSWER_CHARS_MAX)
  return answer === '' ? null : parseJson(answer, 'the answer')
}
