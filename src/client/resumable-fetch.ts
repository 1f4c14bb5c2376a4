import { Backoff } from './backoff.ts'
import { ClientError } from './client-error.ts'
import { isEventStream } from './connection.ts'
import { problemError } from './problem.ts'
import { ResumedFrames } from './resumed-frames.ts'
import { SILENCE_MAX_MS, sleep } from './wait.ts'

/** Failures in a row after which a stream is given up. */
export const RESUMES_MAX = 30
/** Failures in a row after which a request without any answer is given up. */
const REQUESTS_MAX = 5
/** Times in a row that a stream may end before its last frame, without anything new, until it is given up. */
const EARLY_ENDS_MAX = 3

export interface ResumableFetchOptions {
  readonly fetch?: typeof fetch
  /**
   * Asked again for every connection, so that a renewed token is used; they count before those of the
   * request. An error that it throws fails the request, or the body.
   */
  readonly headers?: () => Readonly<Record<string, string>>
  /**
   * Without it, a request may be sent again at any time, under an `Idempotency-Key`. `from_id`: only to go
   * on after the id of a frame, and without a key. For servers that would do the work twice.
   */
  readonly repeats?: 'from_id'
  /** Whether a stream that ends after a frame with this data is whole. It is resumed otherwise. */
  readonly isWhole?: (lastData: string | undefined) => boolean
  /** Chance in [0, 1) and the pauses between connections, for tests that want them their own way. */
  readonly random?: () => number
  readonly sleep?: typeof sleep
  readonly silenceMaxMs?: number
}

/**
 * Makes a `fetch` whose event streams go on after a cut: the caller reads one body without a gap.
 *
 * After a cut the same request is sent again with `Last-Event-ID`, so its body must be one that can be sent
 * twice. Unless it is a GET, it goes under an `Idempotency-Key`, so that the server does its work once. The
 * stream of a thread goes on until it is cancelled, any other ends where the server ends it or answers
 * 204. The body fails with a {@link ClientError} when the server refuses the request for good, and after
 * {@link RESUMES_MAX} failures in a row. An answer that is no event stream is given as it is.
 *
 * @example
 * const response = await resumableFetch()(`/api/threads/${id}/events`, {
 *   headers: { accept: 'text/event-stream' },
 * })
 */
export function resumableFetch(options: ResumableFetchOptions = {}): typeof fetch {
  return async (input, init = {}) => {
    const exchange = new Exchange(input, init, options)
    const response = await exchange.connect()
    if (!response.ok || !isEventStream(response)) return response
    const { status, statusText, headers } = response
    return new Response(exchange.follow(response), { status, statusText, headers })
  }
}

interface Outcome<Result> {
  readonly result?: Result
  readonly cause?: unknown
}

/** One request and its answer, over as many connections as that takes. */
class Exchange {
  readonly #input: RequestInfo | URL
  readonly #init: RequestInit
  readonly #options: ResumableFetchOptions
  readonly #headers: Headers
  readonly #backoff: Backoff
  readonly #frames: ResumedFrames
  readonly #abort = new AbortController()
  #connection = new AbortController()
  /** Absent until the stream has begun. */
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #failures = 0
  #earlyEnds = 0
  /** The id after which the stream ended early. */
  #endedAfter: string | undefined

  constructor(input: RequestInfo | URL, init: RequestInit, options: ResumableFetchOptions) {
    const { headers, method, signal } = { ...partsOf(input), ...init }
    this.#input = input
    this.#init = init
    this.#options = options
    this.#backoff = new Backoff(options.random ?? Math.random)
    this.#frames = new ResumedFrames((delayMs) => this.#backoff.setBase(delayMs))
    this.#headers = new Headers(headers)
    const isKeyed = method !== undefined && method !== 'GET' && options.repeats !== 'from_id'
    if (isKeyed && !this.#headers.has('idempotency-key')) {
      this.#headers.set('idempotency-key', newKey())
    }
    const stop = (): void => this.#stop(signal?.reason)
    signal?.addEventListener('abort', stop, { signal: this.#abort.signal })
    if (signal?.aborted) stop()
  }

  /** Asks until the server answers; once the stream has begun, until it goes on. */
  async connect(): Promise<Response> {
    for (;;) {
      const { result: response, cause } = await this.#ask()
      if (!response) {
        await this.#pause(cause)
        continue
      }
      const { ok, status } = response
      if (!this.#reader || status === 204 || (ok && isEventStream(response))) return response
      const error = await problemError(response, 'resume the stream')
      if (error.final || ok) throw error
      await this.#pause(error)
    }
  }

  follow({ body }: Response): ReadableStream<Uint8Array> {
    this.#reader = body?.getReader()
    const encoder = new TextEncoder()
    const source: UnderlyingDefaultSource<Uint8Array> = {
      pull: async (controller) => {
        let text: string | undefined = ''
        while (text === '') text = await this.#read()
        if (text === undefined) return controller.close()
        controller.enqueue(encoder.encode(text))
      },
      cancel: (reason) => this.#stop(reason),
    }
    // Nothing is read before it is asked for, so that a slow reader slows the server down.
    return new ReadableStream(source, { highWaterMark: 0 })
  }

  /** Gives text that is new to the reader, undefined at the end of the stream. */
  async #read(): Promise<string | undefined> {
    const isThread = this.#frames.epoch !== undefined
    const beats = isThread || this.#frames.hasHeartbeats
    const { result, cause } = await this.#heard(beats, async () => this.#reader?.read())
    if (result?.value) {
      const text = this.#frames.take(result.value)
      if (text === '') return text
      this.#failures = 0
      this.#backoff.succeeded()
      return text
    }
    if (result && !isThread) {
      const { isWhole = () => true } = this.#options
      if (isWhole(this.#frames.lastData)) return this.#frames.rest() || undefined
      this.#countEarlyEnd()
    }
    await this.#pause(cause)
    this.#frames.reconnect()
    const { status, body } = await this.connect()
    this.#reader = body?.getReader()
    return status === 204 ? undefined : ''
  }

  async #ask(): Promise<Outcome<Response>> {
    const { fetch: send = fetch } = this.#options
    const { lastId, epoch } = this.#frames
    const headers = new Headers(this.#headers)
    new Headers(this.#options.headers?.()).forEach((value, name) => headers.set(name, value))
    if (lastId !== undefined) headers.set('last-event-id', lastId)
    this.#connection = new AbortController()
    const init = { ...this.#init, headers, signal: this.#connection.signal }
    const target = withEpoch(this.#input, epoch)
    return this.#heard(this.#reader !== undefined, () => send(target, init))
  }

  /** Waits for the server; where heartbeats are due, not for ever. */
  async #heard<Result>(isBounded: boolean, wait: () => Promise<Result>): Promise<Outcome<Result>> {
    this.#abort.signal.throwIfAborted()
    const { silenceMaxMs = SILENCE_MAX_MS } = this.#options
    const stop = (): void => this.#connection.abort()
    const timer = isBounded ? setTimeout(stop, silenceMaxMs) : undefined
    try {
      return { result: await wait() }
    } catch (cause) {
      this.#abort.signal.throwIfAborted()
      return { cause }
    } finally {
      clearTimeout(timer)
    }
  }

  async #pause(cause: unknown): Promise<void> {
    const { signal } = this.#abort
    const hasBegun = this.#reader !== undefined
    this.#failures++
    if (this.#options.repeats === 'from_id' && this.#frames.lastId === undefined) {
      const state = hasBegun ? 'it was cut before any frame had an id' : 'no answer came'
      throw new ClientError('network', `Cannot go on with the request: ${state}`, { cause })
    }
    if (!hasBegun && this.#failures >= REQUESTS_MAX) throw cause
    if (this.#failures >= RESUMES_MAX) {
      throw new ClientError('network', 'Cannot resume the stream: it broke too often', { cause })
    }
    const retryAfterMs = cause instanceof ClientError ? cause.retryAfterMs : 0
    await (this.#options.sleep ?? sleep)(this.#backoff.failed(retryAfterMs), signal)
    signal.throwIfAborted()
  }

  #countEarlyEnd(): void {
    const { lastId } = this.#frames
    this.#earlyEnds = lastId === this.#endedAfter ? this.#earlyEnds + 1 : 1
    this.#endedAfter = lastId
    if (this.#earlyEnds <= EARLY_ENDS_MAX) return
    throw new ClientError('network', 'Cannot resume the stream: it ends before its last frame')
  }

  #stop(reason: unknown): void {
    this.#abort.abort(reason)
    this.#connection.abort(reason)
  }
}

function partsOf(input: RequestInfo | URL): RequestInit {
  if (!(input instanceof Request)) return {}
  const { method, headers, signal } = input
  return { method, headers, signal }
}

/** Names the log that the cursor is of, as {@link subscribe} does. */
function withEpoch(input: RequestInfo | URL, epoch: string | undefined): RequestInfo | URL {
  const url = input instanceof Request ? input.url : String(input)
  const isNamed = epoch === undefined || /[?&]epoch=/.test(url)
  const target = isNamed ? url : `${url}${url.includes('?') ? '&' : '?'}epoch=${epoch}`
  // A request is used up when it is sent.
  return input instanceof Request ? new Request(target, input.clone()) : target
}

/** `randomUUID` is missing on pages that came over plain HTTP. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
