import type { InputPart } from '../activity/index.ts'
import type { Fetch } from '../client/index.ts'
import { ClientError, request as send } from '../client/index.ts'
import { textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { SENDS_OF_PAGE } from './accepted-sends.ts'
import { newId } from './new-id.ts'
import { DOUBLE_CLICK_MS, withEntry } from './sender.ts'

/** Requests that are kept until the stream shows their outcome; beyond it the oldest goes. */
export const REQUESTS_PENDING_MAX = 100

/** An event of the domain that a person proposes with a turn. */
export interface ProposedEvent {
  readonly id?: string
  readonly type: string
  readonly data: Json
}

/** A person's request to the agents of a thread. */
export type ThreadRequest =
  | {
      readonly kind: 'ask'
      readonly agent: string
      readonly input?: string | readonly InputPart[]
      /** An empty list asks the agent to go on. */
      readonly events?: readonly ProposedEvent[]
      readonly first?: boolean
    }
  | {
      readonly kind: 'answer'
      readonly run: string
      readonly values: Readonly<Record<string, Json>>
    }
  | { readonly kind: 'cancel'; readonly run: string }

/** A request of which the stream has not shown the outcome. */
export interface PendingRequest {
  /** Its Idempotency-Key, made here. */
  readonly key: string
  readonly request: ThreadRequest
  readonly state:
    | { readonly status: 'sending' }
    /** The server has it on record; `run` is the run that begins, goes on or ends. */
    | { readonly status: 'accepted'; readonly run: string }
    /** Whether the server has it is unknown, unless `error.final`. */
    | { readonly status: 'failed'; readonly error: ClientError }
}

export type RequestResult =
  | { readonly status: 'accepted'; readonly run: string }
  | { readonly status: 'failed'; readonly error: ClientError }
  /** The thread had no such question, run or failed request. */
  | { readonly status: 'ignored' }

export interface ThreadRequestsOptions {
  /** The thread's address, such as `/api/threads/ID`. */
  readonly url: string
  readonly headers?: () => Readonly<Record<string, string>>
  readonly fetch?: Fetch
  readonly timeoutMs?: number
  readonly now?: () => number
  /** The same request within this time is a double click; 0 where the caller counts clicks itself. */
  readonly doubleClickMs?: number
  /** Requests that an earlier page could not send. */
  readonly pending?: readonly PendingRequest[]
}

/**
 * Sends a person's requests to the agents of one thread, each under a key of its own. The
 * server executes a key once, so a repeat of a request whose fate is unknown goes under the same key.
 * The same request again, while it is under way or within a double click, is the same request.
 */
export class ThreadRequests {
  readonly #options: ThreadRequestsOptions
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  /** By key, for those that are pending. */
  readonly #results = new Map<string, Promise<RequestResult>>()
  #pending: readonly PendingRequest[]
  #latest: { text: string; startedAt: number; result: Promise<RequestResult> } | undefined

  constructor(options: ThreadRequestsOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#pending = options.pending ?? []
  }

  /** Oldest first. */
  get pending(): readonly PendingRequest[] {
    return this.#pending
  }

  subscribe(listener: () => void): () => void {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    return () => {
      this.#listeners.delete(notify)
    }
  }

  /** Resolves also when the server or the network fails; then with `failed`. */
  send(request: ThreadRequest): Promise<RequestResult> {
    const text = JSON.stringify(request)
    const before = this.#pending.find((each) => JSON.stringify(each.request) === text)
    const failed = before?.state.status === 'failed' ? before : undefined
    const underWay = before && !failed ? this.#results.get(before.key) : undefined
    if (underWay) return underWay
    const latest = this.#latest
    const { doubleClickMs = DOUBLE_CLICK_MS } = this.#options
    const isDoubleClick =
      latest?.text === text && this.#now() - latest.startedAt < doubleClickMs && !failed
    if (isDoubleClick) return latest.result
    const result = this.#deliver(request, failed)
    this.#latest = { text, startedAt: this.#now(), result }
    return result
  }

  /** Sends again what failed under this key. */
  retry(key: string): Promise<RequestResult> {
    const failed = this.#pending.find((each) => each.key === key && each.state.status === 'failed')
    return failed ? this.send(failed.request) : Promise.resolve({ status: 'ignored' })
  }

  /** Removes a request. A request that is being sent still reaches the server. */
  forget(key: string): void {
    // The same request is a new one from now on, within a double click too.
    this.#latest = undefined
    this.#become(this.#pending.filter((each) => each.key !== key))
  }

  /** Drops the requests whose outcome shows and returns the others; calls no listener. */
  settle(isShown: (request: PendingRequest) => boolean): readonly PendingRequest[] {
    if (this.#pending.some(isShown)) this.#keep(this.#pending.filter((each) => !isShown(each)))
    return this.#pending
  }

  #deliver(request: ThreadRequest, failed: PendingRequest | undefined): Promise<RequestResult> {
    const isRefused = failed?.state.status === 'failed' && failed.state.error.final
    const key = failed && !isRefused ? failed.key : newId()
    const before = failed ?? this.#pending.find((each) => isReplaced(each, request))
    this.#place({ key, request, state: { status: 'sending' } }, before?.key)
    const result = this.#post(request, key)
    this.#results.set(key, result)
    return result
  }

  async #post(request: ThreadRequest, key: string): Promise<RequestResult> {
    const { path, body } = posted(request)
    const url = `${this.#options.url}/runs${path}`
    try {
      const answer = await send(url, {
        ...this.#options,
        headers: this.#options.headers?.() ?? {},
        body,
        idempotencyKey: key,
      })
      SENDS_OF_PAGE.tell(url)
      const run = textOf(answer, 'runId')
      return this.#end({ key, request, state: { status: 'accepted', run } })
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      // The run has ended or is about to: the stream shows how.
      if (request.kind === 'cancel' && error.problem?.code === 'not_running') {
        this.forget(key)
        return { status: 'ignored' }
      }
      return this.#end({ key, request, state: { status: 'failed', error } })
    }
  }

  /** Ignored for a request that was dropped meanwhile. */
  #end<Pending extends PendingRequest>(pending: Pending): Pending['state'] {
    if (this.#pending.some(({ key }) => key === pending.key)) this.#place(pending, pending.key)
    return pending.state
  }

  #place(pending: PendingRequest, keyBefore: string | undefined): void {
    const place = { keyBefore, max: REQUESTS_PENDING_MAX }
    this.#become(withEntry(this.#pending, pending, place))
  }

  #become(pending: readonly PendingRequest[]): void {
    this.#keep(pending)
    for (const notify of this.#listeners) notify()
  }

  #keep(pending: readonly PendingRequest[]): void {
    this.#pending = pending
    const keys = new Set(pending.map(({ key }) => key))
    for (const key of this.#results.keys()) if (!keys.has(key)) this.#results.delete(key)
  }
}

/** Another answer to the same questions takes the place of one that failed. */
function isReplaced({ request, state }: PendingRequest, next: ThreadRequest): boolean {
  if (request.kind !== 'answer' || next.kind !== 'answer') return false
  return request.run === next.run && state.status === 'failed'
}

function posted(request: ThreadRequest): { readonly path: string; readonly body: Json } {
  switch (request.kind) {
    case 'ask': {
      const { agent, input, events, first } = request
      const said = input === undefined ? {} : { input }
      const proposed = events && { events: events.map((event) => ({ ...event })) }
      return { path: '', body: { agent, ...said, ...proposed, ...(first && { first }) } }
    }
    case 'answer': {
      const { run, values } = request
      return { path: `/${encodeURIComponent(run)}/resume`, body: { values } }
    }
    case 'cancel':
      return { path: `/${encodeURIComponent(request.run)}/cancel`, body: {} }
  }
}
