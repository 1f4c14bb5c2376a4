import type { RequestOptions } from '../client/index.ts'
import { ClientError, request } from '../client/index.ts'
import type { Json } from '../json/index.ts'
import { SENDS_OF_PAGE } from './accepted-sends.ts'
import { newId } from './new-id.ts'

/** Two clicks closer than this are one. */
export const DOUBLE_CLICK_MS = 500

/** Failed sends that are kept for their retry; beyond it the oldest goes. */
export const UNSENT_MAX = 100

/** A send that was not confirmed: the server may have it, unless it refused it for good. */
export interface UnsentBody {
  readonly body: Json
  /** Names it; as long as its fate is unknown, also the key that a retry goes under. */
  readonly key: string
  readonly error: ClientError
}

/** The state of the latest send; while it is retried, `body` is the same object as in `unsent`. */
type SendPhase =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly body: Json; readonly key: string }
  | ({ readonly status: 'failed' } & UnsentBody)

export type SendState = SendPhase & {
  /** Everything that failed and was neither sent since nor given up, in the order of its first try. */
  readonly unsent: readonly UnsentBody[]
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

const IGNORED = { status: 'ignored' } as const

/**
 * Sends what a person does to one address, one thing at a time, each under a key of its own.
 *
 * The server executes a key once, so a repeat is safe: of a body whose fate is unknown, it goes
 * under the same key. What fails is kept, each with its own retry, whatever is sent after it.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class Sender {
  readonly #url: string
  readonly #options: SenderOptions
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  #state: SendState
  #latest: { text: string; startedAt: number; result: Promise<SendResult> } | undefined

  constructor(url: string, options: SenderOptions = {}) {
    this.#url = url
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#state = { status: 'idle', unsent: [] }
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
    if (state.status === 'sending') return same?.result ?? Promise.resolve(IGNORED)
    if (state.status === 'idle' && same && this.#now() - same.startedAt < DOUBLE_CLICK_MS) {
      return same.result
    }
    const before = state.unsent.find((each) => JSON.stringify(each.body) === text)
    const result = this.#deliver(before?.body ?? body, before)
    this.#latest = { text, startedAt: this.#now(), result }
    return result
  }

  /** Sends again what failed under this key; without one, what failed last. */
  readonly retry = (key?: string): Promise<SendResult> => {
    const state = this.#state
    const named =
      key === undefined ? state.unsent.at(-1) : state.unsent.find((each) => each.key === key)
    const isUnderWay = state.status === 'sending' && (key === undefined || key === state.key)
    if (isUnderWay) return this.send(state.body)
    return named ? this.send(named.body) : Promise.resolve(IGNORED)
  }

  /** Drops the failed send of this key. */
  readonly forget = (key: string): void => {
    const state = this.#state
    const unsent = state.unsent.filter((each) => each.key !== key)
    const isLatest = state.status === 'failed' && state.key === key
    // Sent again, it is a new send, however soon.
    if (isLatest) this.#latest = undefined
    this.#become(isLatest ? { status: 'idle', unsent } : { ...state, unsent })
  }

  async #deliver(body: Json, before: UnsentBody | undefined): Promise<SendResult> {
    const isUndecided = before !== undefined && !before.error.final
    const key = isUndecided ? before.key : newId()
    this.#become({ status: 'sending', body, key, unsent: this.#state.unsent })
    try {
      const headers = this.#options.headers?.() ?? {}
      const answer = await request(this.#url, {
        ...this.#options,
        headers,
        body,
        idempotencyKey: key,
      })
      SENDS_OF_PAGE.tell(this.#url)
      const unsent = this.#state.unsent.filter((each) => each.key !== before?.key)
      this.#become({ status: 'idle', unsent })
      return { status: 'sent', answer }
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      const failed = { body, key, error }
      const place = { keyBefore: before?.key, max: UNSENT_MAX }
      const unsent = withEntry(this.#state.unsent, failed, place)
      this.#become({ status: 'failed', ...failed, unsent })
      return { status: 'failed', error }
    }
  }

  #become(state: SendState): void {
    this.#state = state
    for (const notify of this.#listeners) notify()
  }
}

/** Puts an entry in the place that it had, so that failed ones stay in order; a new one goes to the end. */
export function withEntry<Entry extends { readonly key: string }>(
  entries: readonly Entry[],
  entry: Entry,
  { keyBefore, max }: { readonly keyBefore: string | undefined; readonly max: number },
): readonly Entry[] {
  const at = entries.findIndex(({ key }) => key === keyBefore)
  return at === -1 ? [...entries, entry].slice(-max) : entries.with(at, entry)
}
