import { SpecParser } from './spec-parser.fixture.ts'
import type { Dispatch } from './spec-parser.fixture.ts'

/** After this long without a byte a person would reload the page. */
const SILENCE_MAX_MS = 15_000

export interface PlainReaderOptions {
  readonly url: string
  readonly token?: string
  readonly retryMs: number
  /** Called with messages and with frames that move the last event id alone. */
  readonly take: (dispatch: Dispatch) => void
}

/**
 * A reader as simple as a browser's `EventSource`: all that it carries from one connection to the
 * next is the last event id, and any answer but a 200 ends it.
 */
export class PlainReader {
  readonly #options: PlainReaderOptions
  readonly #closing = new AbortController()
  #lastEventId = ''

  constructor(options: PlainReaderOptions) {
    this.#options = options
  }

  close(): void {
    this.#closing.abort()
  }

  /** Reads until it is closed, or until an answer other than 200 has ended it for good. */
  async read(): Promise<'closed' | number> {
    while (!this.#closing.signal.aborted) {
      try {
        const status = await this.#connect()
        if (status !== 200) return status
      } catch (error) {
        // An EventSource reconnects after every kind of cut.
        if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, this.#options.retryMs))
    }
    return 'closed'
  }

  async #connect(): Promise<number> {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), SILENCE_MAX_MS)
    try {
      const response = await fetch(this.#options.url, {
        headers: this.#headers(),
        signal: AbortSignal.any([silence.signal, this.#closing.signal]),
      })
      if (response.status !== 200) return response.status
      const parser = new SpecParser(this.#lastEventId)
      for await (const bytes of response.body ?? []) {
        timer.refresh()
        for (const dispatch of parser.feed(bytes)) this.#take(dispatch)
      }
      return response.status
    } finally {
      clearTimeout(timer)
    }
  }

  #headers(): Record<string, string> {
    const { token } = this.#options
    return {
      accept: 'text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId }),
    }
  }

  #take(dispatch: Dispatch): void {
    const says = dispatch.data !== undefined || dispatch.lastEventId !== this.#lastEventId
    this.#lastEventId = dispatch.lastEventId
    if (says) this.#options.take(dispatch)
  }
}
