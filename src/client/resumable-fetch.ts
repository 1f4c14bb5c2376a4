import { Backoff } from './backoff.ts'
import { ClientError } from './client-error.ts'
import { isEventStream } from './connection.ts'
import { resume } from './resume.ts'
import type { ResumeStep } from './resume.ts'
import { ResumedText } from './resumed-text.ts'
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
  return (input, init = {}) => new Exchange(input, init, options).respond()
}

/** One request and its answer, over as many connections as that takes. */
class Exchange {
  readonly #input: RequestInfo | URL
  readonly #init: RequestInit
  readonly #options: ResumableFetchOptions
  readonly #headers: Headers
  readonly #backoff: Backoff
  readonly #text = new ResumedText()
  readonly #abort = new AbortController()
  #hasBegun = false
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
    this.#headers = new Headers(headers)
    const isKeyed = method !== undefined && method !== 'GET' && options.repeats !== 'from_id'
    if (isKeyed && !this.#headers.has('idempotency-key')) {
      this.#headers.set('idempotency-key', newKey())
    }
    const stop = (): void => this.#abort.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { signal: this.#abort.signal })
    if (signal?.aborted) stop()
  }

  /** Asks until the server answers. */
  async respond(): Promise<Response> {
    const { silenceMaxMs = SILENCE_MAX_MS } = this.#options
    const steps = resume({
      prepare: () => this.#prepare(),
      take: (frame) => this.#text.take(frame),
      backoff: this.#backoff,
      sleep: this.#options.sleep ?? sleep,
      // Where heartbeats are due, silence is bounded.
      silenceMaxMs: (awaited) =>
        (awaited === 'answer' ? this.#hasBegun : this.#text.hasHeartbeats)
          ? silenceMaxMs
          : undefined,
      signal: this.#abort.signal,
    })
    for (;;) {
      const step = await this.#next(steps)
      // The steps of an answer that is no stream are left as they are: to end them would end its body.
      if (step?.type === 'answer') return this.#answer(step.response, steps)
    }
  }

  #answer(response: Response, steps: AsyncIterator<ResumeStep<string>, void>): Response {
    if (!isEventStream(response)) return response
    this.#hasBegun = true
    const encoder = new TextEncoder()
    const source: UnderlyingDefaultSource<Uint8Array> = {
      pull: async (controller) => {
        for (;;) {
          const step = await this.#next(steps)
          if (!step) return controller.close()
          if (step.type === 'news') return controller.enqueue(encoder.encode(step.news.join('')))
        }
      },
      cancel: (reason) => this.#abort.abort(reason),
    }
    const { status, statusText, headers } = response
    // Nothing is read before it is asked for, so that a slow reader slows the server down.
    const body = new ReadableStream(source, { highWaterMark: 0 })
    return new Response(body, { status, statusText, headers })
  }

  /** Gives the next step, nothing at the end of the stream. */
  async #next(
    steps: AsyncIterator<ResumeStep<string>, void>,
  ): Promise<ResumeStep<string> | undefined> {
    const { done, value: step } = await steps.next()
    this.#abort.signal.throwIfAborted()
    if (done || (step.type === 'cut' && this.#isWhole(step))) return undefined
    if (step.type === 'news') {
      this.#failures = 0
      this.#backoff.succeeded()
    }
    return step
  }

  /** Whether there is no more of the stream after a cut. Otherwise it can be resumed. */
  #isWhole({ error, isEnd }: ResumeStep<string> & { type: 'cut' }): boolean {
    const { lastData, epoch } = this.#text
    if (isEnd && epoch === undefined) {
      if (this.#options.isWhole?.(lastData) ?? true) return true
      this.#countEarlyEnd()
    }
    if (error.problem?.status === 204) return true
    this.#countFailure(error)
    this.#text.reconnect()
    return false
  }

  #countFailure(error: ClientError): void {
    if (error.final || error.code === 'protocol') throw error
    this.#failures++
    const failed = (message: string) => new ClientError('network', message, { cause: error })
    if (this.#options.repeats === 'from_id' && this.#text.lastId === undefined) {
      const state = this.#hasBegun ? 'it was cut before any frame had an id' : 'no answer came'
      throw failed(`Cannot go on with the request: ${state}`)
    }
    if (!this.#hasBegun && this.#failures >= REQUESTS_MAX) throw error.cause
    if (this.#failures >= RESUMES_MAX) throw failed('Cannot resume the stream: it broke too often')
  }

  #countEarlyEnd(): void {
    const { lastId } = this.#text
    this.#earlyEnds = lastId === this.#endedAfter ? this.#earlyEnds + 1 : 1
    this.#endedAfter = lastId
    if (this.#earlyEnds <= EARLY_ENDS_MAX) return
    throw new ClientError('network', 'Cannot resume the stream: it ends before its last frame')
  }

  #prepare(): (signal: AbortSignal) => Promise<Response> {
    const { fetch: send = fetch } = this.#options
    const { lastId, epoch } = this.#text
    const headers = new Headers(this.#headers)
    new Headers(this.#options.headers?.()).forEach((value, name) => headers.set(name, value))
    if (lastId !== undefined) headers.set('last-event-id', lastId)
    const target = withEpoch(this.#input, epoch)
    return (signal) => send(target, { ...this.#init, headers, signal })
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
