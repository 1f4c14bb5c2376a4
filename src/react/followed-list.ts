import { Backoff, ClientError, request, sleep } from '../client/index.ts'
import type { Fetch } from '../client/index.ts'
import { textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { CONNECTIONS_OF_BROWSER } from './held-connections.ts'

export interface ListOptions {
  /** The base path of the routes: by default `/api`. */
  readonly base?: string
  readonly headers?: () => Readonly<Record<string, string>>
  readonly fetch?: Fetch
  readonly random?: () => number
}

/** A list of the server, as far as it is known. */
export interface ListSnapshot {
  /** `live` once the server has answered, and until it cannot be asked. */
  readonly status: 'asking' | 'live' | 'failed'
  readonly error?: ClientError
}

interface ListParts<Items> {
  /** Below the base, with its query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly none: Items
  readonly read: (answer: Json) => Items
}

/**
 * Follows a list of the server while somebody listens: each request is answered once there is another list.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class FollowedList<Items extends object> {
  readonly #options: ListOptions
  readonly #parts: ListParts<Items>
  readonly #listeners = new Set<() => void>()
  #following: AbortController | undefined
  #snapshot: ListSnapshot & Items

  constructor(options: ListOptions, parts: ListParts<Items>) {
    this.#options = options
    this.#parts = parts
    this.#snapshot = { ...parts.none, status: 'asking' }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    if (!this.#following) this.#follow((this.#following = new AbortController()).signal)
    return () => {
      this.#listeners.delete(notify)
      if (this.#listeners.size > 0) return
      this.#following?.abort()
      this.#following = undefined
    }
  }

  readonly getSnapshot = (): ListSnapshot & Items => this.#snapshot

  #follow(signal: AbortSignal): void {
    CONNECTIONS_OF_BROWSER.use(signal, (how) => this.#ask(how, signal)).catch((error: unknown) => {
      if (!signal.aborted) reportError(error)
    })
  }

  async #ask(how: 'hold' | 'ask', signal: AbortSignal): Promise<'more' | 'over'> {
    const backoff = new Backoff(this.#options.random ?? Math.random)
    const query = new URLSearchParams(this.#parts.query)
    while (!signal.aborted) {
      try {
        // With the tag of a list it is answered once there is another.
        query.set('since', await this.#show(query, signal))
        backoff.succeeded()
      } catch (error) {
        if (!(error instanceof ClientError) || signal.aborted) throw error
        this.#become({ ...this.#snapshot, status: 'failed', error })
        if (error.final) return 'over'
        if (how === 'hold') await sleep(backoff.failed(), signal)
      }
      if (how === 'ask') return 'more'
    }
    return 'over'
  }

  /** Shows the list that the server answers with, and returns its tag. */
  async #show(query: URLSearchParams, signal: AbortSignal): Promise<string> {
    const { base = '/api', headers, fetch: send } = this.#options
    const { path, read } = this.#parts
    const answer = await request(`${base}${path}?${query}`, {
      signal,
      headers: headers?.() ?? {},
      ...(send && { fetch: send }),
    })
    this.#become({ ...read(answer), status: 'live' })
    return textOf(answer, 'tag')
  }

  #become(snapshot: ListSnapshot & Items): void {
    this.#snapshot = snapshot
    for (const notify of this.#listeners) notify()
  }
}
