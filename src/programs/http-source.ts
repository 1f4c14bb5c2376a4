import { wellFormedJson } from './well-formed.ts'
import { createParser } from 'eventsource-parser'
import { LinkedSignal, MODEL_RETRY_AFTER_MAX_MS } from '../models/index.ts'
import {
  REMOTE_FRAME_BYTES_MAX,
  REMOTE_MESSAGE_CHARS_MAX,
  REMOTE_REDIRECTS_MAX,
  REMOTE_STREAM_BYTES_MAX,
} from './limits.ts'
import { ProgramError, streamRefused } from './program-error.ts'
import { JSON_LEVELS_MAX, jsonSize, startOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { EventSource } from './ingest.ts'

export interface HttpSourceOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly silenceMaxMs: number
  /** Redirects that keep the method and the body are followed to the same origin; by default none is. */
  readonly redirects?: 'same-origin' | undefined
}

/** An AG-UI agent over HTTP: one POST for each run, answered as a stream of server-sent events. */
export function httpSource(options: HttpSourceOptions): EventSource {
  return async function* source(input, { signal }) {
    const silence = new Silence(signal, options.silenceMaxMs)
    try {
      const response = await answered(options, { body: wellFormedJson(input), silence })
      yield* framesOf(response, silence)
    } finally {
      silence.end()
    }
  }
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
  options: HttpSourceOptions,
  { body, silence }: { readonly body: string; readonly silence: Silence },
): Promise<Response> {
  const response = await followed(options, { body, silence })
  if (response.status !== 200) throw await rejection(response, silence)
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

async function rejection(response: Response, silence: Silence): Promise<ProgramError> {
  const { status, headers } = response
  const isUnreached = !UNSURE.has(status)
  const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1_000
  const isSoon = retryAfterMs <= MODEL_RETRY_AFTER_MAX_MS
  const told = isRedirect(response)
    ? 'a redirect, which is not followed; give the address that it leads to as `url`'
    : await silence.heard(() => firstOf(response)).catch(() => '')
  const why = told === '' ? '' : `: ${startOf(told, REMOTE_MESSAGE_CHARS_MAX)}`
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

/** Bytes decoded at a time: bounds what waits, however large the platform's chunks are. */
const SLICE_BYTES_MAX = 65_536

async function* framesOf(response: Response, silence: Silence): AsyncGenerator<unknown, void> {
  const reader = response.body?.getReader()
  const eventsIn = frameReader(() => noStream(response))
  let bytes = 0
  try {
    for (;;) {
      const next = await silence.heard(async () => reader?.read()).catch(cutOff)
      if (!next || next.done) return
      bytes += next.value.length
      if (bytes > REMOTE_STREAM_BYTES_MAX) throw tooLarge('the stream', REMOTE_STREAM_BYTES_MAX)
      yield* eventsIn(next.value)
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

const FIELDS = ['data:', 'event:', 'id:', 'retry:', ':']

/**
 * Knows a stream by its first characters: some servers and gateways give it another type. Returns what has come
 * while it may still become a field of a stream, and undefined once it is one.
 */
function openingOf(given: string, refused: () => ProgramError): string | undefined {
  const text = given.trimStart().slice(0, 'retry:'.length)
  if (FIELDS.some((field) => text.startsWith(field))) return undefined
  if (FIELDS.some((field) => field.startsWith(text))) return text
  throw refused()
}

/** Splits the bytes of one answer into events. A frame that the connection cuts off never shows. */
function frameReader(refused: () => ProgramError): (bytes: Uint8Array) => Generator<unknown, void> {
  const frames: string[] = []
  let isTooLarge = false
  const parser = createParser({
    maxBufferSize: REMOTE_FRAME_BYTES_MAX,
    onEvent: ({ data }) => {
      frames.push(data)
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLarge = true
    },
  })
  const decoder = new TextDecoder()
  let opening: string | undefined = ''
  return function* eventsIn(bytes) {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES_MAX) {
      const text = decoder.decode(bytes.subarray(at, at + SLICE_BYTES_MAX), { stream: true })
      parser.feed(text)
      if (opening !== undefined) opening = openingOf(opening + text, refused)
      for (const frame of frames.splice(0)) yield parsed(frame)
      if (isTooLarge) throw tooLarge('a frame', REMOTE_FRAME_BYTES_MAX)
    }
  }
}

function parsed(text: string): unknown {
  let value: Json
  try {
    // It has come as JSON.
    value = JSON.parse(text) as Json
  } catch (cause) {
    throw new ProgramError('malformed', 'Cannot read a frame: it is no JSON', { cause })
  }
  // A shorter text cannot be nested so deep.
  if (text.length <= JSON_LEVELS_MAX || jsonSize(value).chars < Infinity) return value
  const why = `it is nested deeper than ${JSON_LEVELS_MAX} levels`
  throw new ProgramError('malformed', `Cannot read a frame: ${why}`)
}

function tooLarge(what: string, max: number): ProgramError {
  return streamRefused('too_large', `${what} exceeds ${max} bytes`)
}
