import type { RunAgentInput } from '@ag-ui/core'
import { wellFormedJson } from './well-formed.ts'
import { LinkedSignal, MODEL_RETRY_AFTER_MAX_MS } from '../models/index.ts'
import {
  REMOTE_MESSAGE_CHARS_MAX,
  REMOTE_REDIRECTS_MAX,
  REMOTE_STOP_MAX_MS,
  REMOTE_STREAM_BYTES_MAX,
} from './limits.ts'
import { ProgramError } from './program-error.ts'
import { startOf } from '../json/index.ts'
import { requestHeaders, withoutSecrets } from './request-headers.ts'
import { StreamFrames, tooLarge } from './stream-frames.ts'
import type { EventSource } from './ingest.ts'

export interface HttpSourceOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly silenceMaxMs: number
  /** Redirects that keep the method and the body are followed to the same origin; by default none is. */
  readonly redirects?: 'same-origin' | undefined
  /** Names of headers that go on from the client's request. */
  readonly forwardedHeaders?: readonly string[] | undefined
  /** Gets a POST when a run is left before its end; `{threadId}` in it becomes the thread's name. */
  readonly stopUrl?: string | undefined
}

/** An AG-UI agent over HTTP: one POST for each run, answered as a stream of events. */
export function httpSource(options: HttpSourceOptions): EventSource {
  return async function* source(input, { signal, header }) {
    const headers = requestHeaders(options, header)
    const request: RemoteRequest = { ...options, headers, secrets: withoutSecrets(headers) }
    const silence = new Silence(signal, options.silenceMaxMs)
    let hasEnded = false
    try {
      const response = await answered(request, { body: wellFormedJson(input), silence })
      yield* framesOf(response, request, silence)
      // An abort ends the stream like a connection that breaks.
      hasEnded = !signal.aborted
    } catch (error) {
      hasEnded = error instanceof ProgramError && error.isUnreached
      throw error
    } finally {
      silence.end()
      if (!hasEnded) stop(request, input)
    }
  }
}

interface RemoteRequest extends HttpSourceOptions {
  /** Replaces the secrets of its headers in a text. */
  readonly secrets: (text: string) => string
}

/** Tells the agent that its run is not read on. Whether it stops is its own affair. */
function stop(
  { stopUrl, headers, fetch }: RemoteRequest,
  { threadId, runId }: RunAgentInput,
): void {
  // In an address these names lead to another path, however they are written.
  if (stopUrl === undefined || threadId === '.' || threadId === '..') return
  const url = stopUrl.replaceAll('{threadId}', encodeURIComponent(threadId))
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ runId }),
    redirect: 'manual',
    signal: AbortSignal.timeout(REMOTE_STOP_MAX_MS),
  })
    .then((response) => response.body?.cancel())
    .catch(() => undefined)
}

/** The signal of one request, which aborts once the other side says nothing for too long. */
class Silence {
  readonly #maxMs: number
  readonly #line: LinkedSignal

  constructor(within: AbortSignal, maxMs: number) {
    this.#maxMs = maxMs
    this.#line = new LinkedSignal(within)
  }

  get signal(): AbortSignal {
    return this.#line.signal
  }

  /** Waits for the other side; the time counts from now. */
  async heard<Value>(wait: () => Promise<Value>): Promise<Value> {
    const timer = setTimeout(() => {
      const why = `nothing came for ${this.#maxMs} ms`
      this.#line.abort(new ProgramError('timeout', `Cannot follow the agent: ${why}`))
    }, this.#maxMs)
    try {
      return await wait()
    } catch (error) {
      this.signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  end(): void {
    this.#line.abort()
    this.#line.release()
  }
}

async function answered(
  options: RemoteRequest,
  { body, silence }: { readonly body: string; readonly silence: Silence },
): Promise<Response> {
  const response = await followed(options, { body, silence })
  if (response.status !== 200) throw await rejection(response, options, silence)
  if (response.body) return response
  throw noStream(response)
}

function noStream({ headers }: Response): ProgramError {
  const type = startOf(headers.get('content-type') ?? '', 100)
  return new ProgramError('malformed', `Cannot follow the agent: its answer is "${type}"`)
}

/** The other redirects ask for the new address by GET, which starts no run. */
const KEEPS_THE_REQUEST: ReadonlySet<number> = new Set([307, 308])

async function followed(
  { url, headers, fetch, redirects }: HttpSourceOptions,
  { body, silence }: { readonly body: string; readonly silence: Silence },
): Promise<Response> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body,
    // The platform would send the headers, keys among them, to wherever the other side says.
    redirect: 'manual',
    signal: silence.signal,
  }
  let at = url
  for (let count = 0; ; count++) {
    const response = await silence
      .heard(() => fetch(at, init))
      .catch((error: unknown) => {
        silence.signal.throwIfAborted()
        throw unreachable(error)
      })
    const mayFollow = redirects !== undefined && KEEPS_THE_REQUEST.has(response.status)
    const to = mayFollow ? URL.parse(response.headers.get('location') ?? '', at) : null
    if (!to || to.origin !== new URL(url).origin || count === REMOTE_REDIRECTS_MAX) return response
    await response.body?.cancel()
    at = to.href
  }
}

/** Where no connection was made, nothing has begun. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function unreachable(cause: unknown): ProgramError {
  const isUnreached = codesIn(cause).some((code) => NOT_CONNECTED.has(code))
  const state = isUnreached ? 'no connection was made' : 'the connection was lost'
  return new ProgramError('unreachable', `Cannot reach the agent: ${state}`, {
    cause,
    isUnreached,
    isRetryable: isUnreached,
  })
}

/** `fetch` wraps what failed; several addresses may have been tried. */
function codesIn(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error ? [error.code] : []
  const tried = error instanceof AggregateError ? error.errors.flatMap(codesIn) : []
  return [...own, ...tried, ...codesIn(error.cause)]
}

/** Servers with this answer have not begun; a gateway cannot know. */
const LATER: ReadonlySet<number> = new Set([429, 503])
const UNSURE: ReadonlySet<number> = new Set([502, 504])

async function rejection(
  response: Response,
  { secrets }: RemoteRequest,
  silence: Silence,
): Promise<ProgramError> {
  const { status, headers } = response
  const isUnreached = !UNSURE.has(status)
  const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1_000
  const isSoon = retryAfterMs <= MODEL_RETRY_AFTER_MAX_MS
  const told = isRedirect(response)
    ? 'a redirect, which is not followed; give the address that it leads to as `url`'
    : await silence.heard(() => firstOf(response)).catch(() => '')
  const why = told === '' ? '' : `: ${startOf(secrets(told), REMOTE_MESSAGE_CHARS_MAX)}`
  return new ProgramError('rejected', `Cannot start the agent: it answers ${status}${why}`, {
    isUnreached,
    isRetryable: LATER.has(status) && isSoon,
    ...(Number.isFinite(retryAfterMs) ? { retryAfterMs } : {}),
  })
}

/** A browser tells nothing else of a redirect. */
function isRedirect({ status, type }: Response): boolean {
  return (status >= 300 && status < 400) || type === 'opaqueredirect'
}

/** The beginning of an answer that says why. */
async function firstOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value).trim()
}

async function* framesOf(
  response: Response,
  { secrets }: RemoteRequest,
  silence: Silence,
): AsyncGenerator<unknown, void> {
  const reader = response.body?.getReader()
  const frames = new StreamFrames(() => noStream(response), secrets)
  let bytes = 0
  try {
    for (;;) {
      const next = await silence.heard(async () => reader?.read()).catch(cutOff)
      if (!next || next.done) return yield* frames.rest()
      bytes += next.value.length
      if (bytes > REMOTE_STREAM_BYTES_MAX) throw tooLarge('the stream', REMOTE_STREAM_BYTES_MAX)
      yield* frames.take(next.value)
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

/** A connection that breaks is a stream that stops: whether its run had ended shows. */
function cutOff(error: unknown): undefined {
  if (error instanceof ProgramError) throw error
  return undefined
}
