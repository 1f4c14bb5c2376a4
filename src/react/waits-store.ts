import type { ThreadWait } from '../activity/index.ts'
import { Backoff, ClientError, request } from '../client/index.ts'
import type { Fetch } from '../client/index.ts'
import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { ThreadRequests } from './thread-requests.ts'
import type { RequestResult } from './thread-requests.ts'

/** What waits for the reader, over all threads, the one that moved last first. */
export interface Waits {
  /** `live` once the server has answered, and until it cannot be asked. */
  readonly status: 'asking' | 'live' | 'failed'
  readonly waits: readonly ThreadWait[]
  readonly error?: ClientError
}

export interface WaitsStoreOptions {
  /** The base path of the routes: by default `/api`. */
  readonly base?: string
  /** Leaves out the threads of other applications. */
  readonly app?: string
  readonly headers?: () => Readonly<Record<string, string>>
  readonly fetch?: Fetch
  readonly random?: () => number
}

const NOTHING: Waits = { status: 'asking', waits: [] }

/**
 * Follows what its reader may decide or answer, while somebody listens. The functions are bound, as
 * `useSyncExternalStore` takes them.
 */
export class WaitsStore {
  readonly #options: WaitsStoreOptions
  readonly #base: string
  readonly #listeners = new Set<() => void>()
  readonly #requests = new Map<string, ThreadRequests>()
  #following: AbortController | undefined
  #waits = NOTHING

  constructor(options: WaitsStoreOptions = {}) {
    this.#options = options
    this.#base = options.base ?? '/api'
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

  readonly getSnapshot = (): Waits => this.#waits

  /** Answers one question: `{ approved, reason? }` for an approval, else the values that it asks for. */
  readonly answer = (
    { id, thread, run }: Pick<ThreadWait, 'id' | 'thread' | 'run'>,
    values: Readonly<Record<string, Json>>,
  ): Promise<RequestResult> => {
    const url = `${this.#base}/threads/${encodeURIComponent(thread)}`
    const requests = this.#requests.get(thread) ?? new ThreadRequests({ ...this.#options, url })
    this.#requests.set(thread, requests)
    return requests.send({ kind: 'answer', run, values: { [id]: values } })
  }

  #follow(signal: AbortSignal): void {
    this.#followUntil(signal).catch((error: unknown) => {
      if (!signal.aborted) reportError(error)
    })
  }

  async #followUntil(signal: AbortSignal): Promise<void> {
    const { app, headers, random = Math.random, fetch: send } = this.#options
    const backoff = new Backoff(random)
    let tag = ''
    while (!signal.aborted) {
      const known = { ...(app !== undefined && { app }), ...(tag !== '' && { since: tag }) }
      const query = new URLSearchParams(known)
      try {
        const answer = await request(`${this.#base}/waits?${query}`, {
          signal,
          headers: headers?.() ?? {},
          ...(send && { fetch: send }),
        })
        backoff.succeeded()
        tag = textOf(answer, 'tag')
        this.#become({ status: 'live', waits: waitsIn(answer) })
      } catch (error) {
        if (!(error instanceof ClientError) || signal.aborted) throw error
        this.#become({ ...this.#waits, status: 'failed', error })
        if (error.final) return
        await paused(backoff.failed(), signal)
      }
    }
  }

  #become(waits: Waits): void {
    this.#waits = waits
    // What was answered is on no list any more.
    for (const thread of this.#requests.keys()) {
      if (!waits.waits.some((wait) => wait.thread === thread)) this.#requests.delete(thread)
    }
    for (const notify of this.#listeners) notify()
  }
}

function waitsIn(answer: Json): readonly ThreadWait[] {
  const { waits = [] } = membersOf(answer)
  // The server writes them from the same type.
  return isJsonArray(waits) ? (waits as unknown as readonly ThreadWait[]) : []
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}
