import type { RequestOptions } from '../client/index.ts'
import { ClientError, request } from '../client/index.ts'
import type { Json } from '../log/index.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/** Two clicks closer than this are one. */
const DOUBLE_CLICK_MS = 500

export type SendState =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly body: Json; readonly key: string }
  | {
      readonly status: 'failed'
      readonly body: Json
      readonly key: string
      readonly error: ClientError
    }

export type SendResult =
  | { readonly status: 'sent'; readonly answer: Json }
  | { readonly status: 'failed'; readonly error: ClientError }
  /** Another body is under way, or there is nothing to retry. */
  | { readonly status: 'ignored' }

export interface SenderOptions extends Pick<RequestOptions, 'fetch' | 'timeoutMs'> {
  readonly headers?: () => Readonly<Record<string, string>>
  readonly now?: () => number
}

/**
 * Sends what a person does to one address, one thing at a time, each under a key of its own.
 *
 * The server executes a key once, so a repeat is safe: of a body whose fate is unknown, it goes
 * under the same key. The functions are bound, as `useSyncExternalStore` takes them.
 */
export class Sender {
  readonly #url: string
  readonly #options: SenderOptions
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  #state: SendState = { status: 'idle' }
  #latest: { text: string; startedAt: number; result: Promise<SendResult> } | undefined

  constructor(url: string, options: SenderOptions = {}) {
    this.#url = url
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    return () => {
      this.#listeners.delete(notify)
    }
  }

  readonly getSnapshot = (): SendState => this.#state

  /** Never rejects because the world failed; the result says what became of it. */
  readonly send = (body: Json): Promise<SendResult> => {
    const text = JSON.stringify(body)
    const state = this.#state
    const same = this.#latest?.text === text ? this.#latest : undefined
    if (state.status === 'sending') return same?.result ?? Promise.resolve({ status: 'ignored' })
    if (state.status === 'idle' && same && this.#now() - same.startedAt < DOUBLE_CLICK_MS) {
      return same.result
    }
    const undecided = state.status === 'failed' && same && !state.error.final
    const result = this.#deliver(body, undecided ? state.key : newIdempotencyKey())
    this.#latest = { text, startedAt: this.#now(), result }
    return result
  }

  readonly retry = (): Promise<SendResult> => {
    const state = this.#state
    if (state.status === 'idle') return Promise.resolve({ status: 'ignored' })
    return this.send(state.body)
  }

  async #deliver(body: Json, key: string): Promise<SendResult> {
    this.#become({ status: 'sending', body, key })
    const { headers, fetch, timeoutMs } = this.#options
    try {
      const answer = await request(this.#url, {
        body,
        idempotencyKey: key,
        ...(headers && { headers: headers() }),
        ...(fetch && { fetch }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      })
      this.#become({ status: 'idle' })
      return { status: 'sent', answer }
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      this.#become({ status: 'failed', body, key, error })
      return { status: 'failed', error }
    }
  }

  #become(state: SendState): void {
    this.#state = state
    for (const notify of this.#listeners) notify()
  }
}
