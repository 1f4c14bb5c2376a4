import { ClientError, broken } from './client-error.ts'
import { type Frame, FrameReader } from './frames.ts'
import { problemError } from './problem.ts'

/** The part of `fetch` that this room needs. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>

interface ConnectionOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
  readonly silenceMaxMs: number
  readonly signal: AbortSignal
}

type EventStream = Response & { readonly body: ReadableStream<Uint8Array> }

export function isEventStream(response: Response): response is EventStream {
  const type = response.headers.get('content-type') ?? ''
  return response.body !== null && type.toLowerCase().startsWith('text/event-stream')
}

/**
 * One connection to a thread's stream, as batches of frames; an empty batch is a sign of life.
 * Reads on only when asked, so a slow reader slows the server down instead of filling memory.
 *
 * @throws {@link ClientError} always, in the end: no stream of a thread ends by itself
 */
export async function* connect(
  options: ConnectionOptions,
): AsyncGenerator<readonly Frame[], never> {
  const line = new Line(options)
  try {
    const body = await line.open()
    const frames = new FrameReader()
    for (;;) yield* frames.feed(await line.read(body))
  } finally {
    line.close()
  }
}

/** Owns what must be let go of when a connection ends: the request, its reader, the silence timer. */
class Line {
  readonly #options: ConnectionOptions
  readonly #abort = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #silent = false
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    options.signal.addEventListener('abort', this.close, { signal: this.#abort.signal })
    if (options.signal.aborted) this.#abort.abort()
  }

  async open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { url, headers, fetch } = this.#options
    const response = await this.#heard(async () =>
      // Not wrapped in a Request: Node drops the tie to its signal once the Request is collected.
      fetch(url, {
        headers: { accept: 'text/event-stream', ...headers },
        signal: this.#abort.signal,
        cache: 'no-store',
      }),
    )
    if (response.status !== 200) {
      throw await this.#heard(() => problemError(response, 'follow the thread'))
    }
    if (!isEventStream(response)) {
      throw broken(`the answer is "${response.headers.get('content-type') ?? ''}"`)
    }
    this.#reader = response.body.getReader()
    return this.#reader
  }

  async read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
    const { done, value } = await this.#heard(() => reader.read())
    if (done) throw this.#cut()
    return value
  }

  readonly close = (): void => {
    clearTimeout(this.#timer)
    this.#abort.abort()
    // A body need not be tied to the signal of its request; on one that is, this has nothing to add.
    this.#reader?.cancel().catch(() => undefined)
  }

  /** Waits for the server, but not for ever: a dead connection says nothing, not even that. */
  async #heard<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#timer = setTimeout(() => {
      this.#silent = true
      this.close()
    }, this.#options.silenceMaxMs)
    try {
      return await wait()
    } catch (cause) {
      throw this.#cut(cause)
    } finally {
      clearTimeout(this.#timer)
    }
  }

  #cut(cause?: unknown): ClientError {
    if (!this.#silent) {
      return new ClientError('network', 'Cannot follow the thread: the connection ended', { cause })
    }
    const silence = `nothing came for ${this.#options.silenceMaxMs} ms`
    return new ClientError('timeout', `Cannot follow the thread: ${silence}`, { cause })
  }
}
