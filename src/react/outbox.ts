import { ClientError, request as send } from '../client/index.ts'
import type { Fetch } from '../client/index.ts'
import type { Json } from '../json/index.ts'
import { SENDS_OF_PAGE } from './accepted-sends.ts'
import { Clicks } from './clicks.ts'
import { newId } from './new-id.ts'

/** Requests that are kept until their outcome is known and shown; beyond it the oldest goes. */
export const OUTBOX_MAX = 100

interface Sent<Request> {
  /** Its Idempotency-Key, made here. */
  readonly key: string
  readonly request: Request
  /** Why it failed before, where it was sent again. */
  readonly failure?: ClientError
}

/** A request whose outcome is not known or not shown yet. */
export interface Pending<Request, Accepted> extends Sent<Request> {
  /** `accepted`: the server has it on record; `failed`: whether it has is unknown, unless `error.final`. */
  readonly state: { readonly status: 'sending' } | Ended<Accepted>
}

type Ended<Accepted> =
  | ({ readonly status: 'accepted' } & Accepted)
  | { readonly status: 'failed'; readonly error: ClientError }

/** `ignored`: there was nothing to ask for. */
export type Result<Accepted> = Ended<Accepted> | { readonly status: 'ignored' }

export interface OutboxOptions<Request, Accepted> {
  readonly headers?: () => Readonly<Record<string, string>>
  readonly fetch?: Fetch
  readonly timeoutMs?: number
  readonly now?: () => number
  /** The same request within this time is a double click; 0 where the caller counts clicks itself. */
  readonly doubleClickMs?: number
  /** Requests that an earlier page could not send. */
  readonly pending?: readonly Pending<Request, Accepted>[]
}

/** What an outbox sends. */
export interface Mail<Request, Accepted> {
  readonly post: (request: Request) => { readonly url: string; readonly body: Json }
  readonly accepted: (answer: Json) => Accepted
  /** Whether a refusal says that there is nothing left to ask for. */
  readonly isOver?: (request: Request, error: ClientError) => boolean
  /** Whether a request takes the place of one that is pending. */
  readonly replaces?: (request: Request, pending: Pending<Request, Accepted>) => boolean
}

/**
 * Sends requests of a person, each under a key of its own. The server executes a key once, so a repeat of
 * a request whose fate is unknown goes under the same key. The same request again, while it is under way or
 * within a double click, is the same request. What fails is kept, each with its own retry.
 */
export class Outbox<Request, Accepted extends object> {
  readonly #mail: Mail<Request, Accepted>
  readonly #options: OutboxOptions<Request, Accepted>
  readonly #clicks: Clicks
  readonly #listeners = new Set<() => void>()
  /** By key, for those that are pending. */
  readonly #results = new Map<string, Promise<Result<Accepted>>>()
  #pending: readonly Pending<Request, Accepted>[]
  #latest: { readonly key: string; readonly result: Promise<Result<Accepted>> } | undefined

  constructor(mail: Mail<Request, Accepted>, options: OutboxOptions<Request, Accepted>) {
    this.#mail = mail
    this.#options = options
    this.#clicks = new Clicks(options.now, options.doubleClickMs)
    this.#pending = options.pending ?? []
  }

  /** Oldest first. */
  get pending(): readonly Pending<Request, Accepted>[] {
    return this.#pending
  }

  /** The one that was sent last, while it is pending. */
  get latest(): Pending<Request, Accepted> | undefined {
    return this.#pending.find(({ key }) => key === this.#latest?.key)
  }

  subscribe(listener: () => void): () => void {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    return () => {
      this.#listeners.delete(notify)
    }
  }

  /** Resolves also when the server or the network fails; then with `failed`. */
  send(request: Request): Promise<Result<Accepted>> {
    const text = JSON.stringify(request)
    const before = this.#pending.find((each) => JSON.stringify(each.request) === text)
    const failed = before?.state.status === 'failed' ? before : undefined
    const underWay = before && !failed ? this.#results.get(before.key) : undefined
    if (underWay) return underWay
    if (failed) this.#clicks.restart()
    if (this.#clicks.isRepeat(text) && this.#latest) return this.#latest.result
    return this.#deliver(failed?.request ?? request, failed)
  }

  /** Sends again what failed under this key. */
  retry(key: string): Promise<Result<Accepted>> {
    const failed = this.#pending.find((each) => each.key === key && each.state.status === 'failed')
    return failed ? this.send(failed.request) : IGNORED
  }

  /** Removes a request. A request that is being sent still reaches the server. */
  forget(key: string): void {
    // The same request is a new one from now on, within a double click too.
    this.#clicks.restart()
    this.#become(this.#pending.filter((each) => each.key !== key))
  }

  /** Drops the requests whose outcome shows and returns the others; calls no listener. */
  settle(isShown: (each: Pending<Request, Accepted>) => boolean) {
    if (this.#pending.some(isShown)) this.#keep(this.#pending.filter((each) => !isShown(each)))
    return this.#pending
  }

  #deliver(request: Request, failed?: Pending<Request, Accepted>): Promise<Result<Accepted>> {
    const failure = failed?.state.status === 'failed' ? failed.state.error : undefined
    const key = failed && !failure?.final ? failed.key : newId()
    const before = failed ?? this.#pending.find((each) => this.#mail.replaces?.(request, each))
    const sent = { key, request, ...(failure && { failure }) }
    const result = this.#post(sent)
    this.#results.set(key, result)
    this.#latest = { key, result }
    this.#place({ ...sent, state: { status: 'sending' } }, before?.key)
    return result
  }

  async #post(sent: Sent<Request>): Promise<Result<Accepted>> {
    const { key, request } = sent
    const { url, body } = this.#mail.post(request)
    const headers = this.#options.headers?.() ?? {}
    try {
      const answer = await send(url, { ...this.#options, headers, body, idempotencyKey: key })
      SENDS_OF_PAGE.tell(url)
      return this.#end(sent, { status: 'accepted', ...this.#mail.accepted(answer) })
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      if (!this.#mail.isOver?.(request, error)) return this.#end(sent, { status: 'failed', error })
      this.forget(key)
      return IGNORED
    }
  }

  /** Ignored for a request that was dropped meanwhile. */
  #end(sent: Sent<Request>, state: Ended<Accepted>): Ended<Accepted> {
    if (this.#pending.some(({ key }) => key === sent.key)) this.#place({ ...sent, state }, sent.key)
    return state
  }

  /** Puts a request in the place that it had, so that those that fail stay in order. */
  #place(pending: Pending<Request, Accepted>, keyBefore: string | undefined): void {
    const at = this.#pending.findIndex(({ key }) => key === keyBefore)
    if (at >= 0) this.#become(this.#pending.with(at, pending))
    else this.#become([...this.#pending, pending].slice(-OUTBOX_MAX))
  }

  #become(pending: readonly Pending<Request, Accepted>[]): void {
    this.#keep(pending)
    for (const notify of this.#listeners) notify()
  }

  #keep(pending: readonly Pending<Request, Accepted>[]): void {
    this.#pending = pending
    const keys = new Set(pending.map(({ key }) => key))
    for (const key of this.#results.keys()) if (!keys.has(key)) this.#results.delete(key)
  }
}

const IGNORED: Promise<{ readonly status: 'ignored' }> = Promise.resolve({ status: 'ignored' })
