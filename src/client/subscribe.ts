import { assert } from '../assert/index.ts'
import type { Fetch } from './connection.ts'
import { follow } from './follow.ts'
import { stateReader } from './state-reader.ts'
import type {
  CarriedFrame,
  CallerEvents,
  CallerUpdate,
  Item,
  StatefulUpdate,
  ThreadRecord,
  ThreadState,
  ThreadUpdate,
  Update,
} from './thread-update.ts'
import { readCallerEvents, readRecord } from './view.ts'
import type { ReadFrames } from './view.ts'
import { SILENCE_MAX_MS, sleep } from './wait.ts'

export interface SubscribeOptions {
  /** The thread's events address, such as `/api/threads/ID/events`. */
  readonly url: string
  /** The last seq that the reader has; −1, the default, starts at the beginning. */
  readonly after?: number
  /** The history that `after` belongs to. */
  readonly epoch?: string
  /** Asked again for every connection, so that a renewed token is used. */
  readonly headers?: () => Readonly<Record<string, string>>
  readonly fetch?: Fetch
  /** Ends the subscription as `return()` does. */
  readonly signal?: AbortSignal
  /** Chance in [0, 1) and the pauses between connections, for tests that want them their own way. */
  readonly random?: () => number
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly silenceMaxMs?: number
}

/** The same thread as the caller of its agents sees it. */
export interface CallerSubscribeOptions extends SubscribeOptions {
  readonly as: 'caller'
  /** Events of deeper runs are left out; without it, none are. */
  readonly depth?: number
}

/**
 * Follows a thread live, from any position, through every interruption.
 *
 * Each record arrives exactly once and in order, until the server refuses the stream for good or
 * the reader returns, which ends it at once. A slow reader holds the server back; its memory
 * stays bounded. One `next()` at a time.
 *
 * With `state: true` there are updates `state` too: what this reader may see of the thread, first as it
 * is, then each time that it has changed; and updates `carried`: frames that the application adds.
 *
 * With `as: 'caller'` the updates are what the caller of the thread's agents sees. Each update `events` holds
 * all events of one record, so that a cut never splits it; a record of which nothing shows moves the cursor
 * alone.
 *
 * @throws what `headers` throws
 *
 * @example
 * ```ts
 * for await (const update of subscribe({ url: `/api/threads/${id}/events` })) {
 *   if (update.type === 'record') show(update.record)
 * }
 * ```
 */
export function subscribe(
  options: SubscribeOptions & { readonly state: true },
): AsyncIterableIterator<StatefulUpdate>
export function subscribe(options: CallerSubscribeOptions): AsyncIterableIterator<CallerUpdate>
export function subscribe(
  options: SubscribeOptions & { readonly as?: never },
): AsyncIterableIterator<ThreadUpdate>
export function subscribe(
  options: CallerSubscribeOptions | (SubscribeOptions & { readonly as?: never; state?: true }),
): AsyncIterableIterator<StatefulUpdate | CallerUpdate> {
  if (options.as === 'caller') {
    const depth = options.depth === undefined ? '' : `&depth=${options.depth}`
    const url = withQuery(options, `view=agent${depth}`)
    return new Subscription<CallerEvents>(url, { read: readCallerEvents })
  }
  assert(
    !/[?&]view=agent(&|$)/.test(options.url),
    'Cannot read the view "agent" as records: subscribe with as: \'caller\'',
  )
  const read: ReadFrames<ThreadRecord> = { read: readRecord }
  if (!options.state) return new Subscription(options, read)
  return new Subscription<ThreadRecord | ThreadState | CarriedFrame>(
    withQuery(options, 'state=1'),
    {
      ...read,
      readState: stateReader(),
      readCarried: (name, data) => ({ type: 'carried', name, data }),
    },
  )
}

function withQuery(options: SubscribeOptions, query: string): SubscribeOptions {
  const { url } = options
  return { ...options, url: `${url}${url.includes('?') ? '&' : '?'}${query}` }
}

const DONE: IteratorResult<never> = { done: true, value: undefined }

/** Hands out batches one by one, and can end while it waits, which a generator's `return()` cannot. */
class Subscription<Shown extends Item> implements AsyncIterableIterator<Update<Shown>> {
  readonly #abort = new AbortController()
  readonly #batches: AsyncIterator<readonly Update<Shown>[], void>
  #batch: readonly Update<Shown>[] = []
  #taken = 0
  #waiting: ((result: IteratorResult<Update<Shown>>) => void) | undefined

  constructor(options: SubscribeOptions, frames: ReadFrames<Shown>) {
    this.#batches = follow({
      url: options.url,
      after: options.after ?? -1,
      epoch: options.epoch,
      frames,
      headers: options.headers ?? (() => ({})),
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      random: options.random ?? Math.random,
      sleep: options.sleep ?? sleep,
      silenceMaxMs: options.silenceMaxMs ?? SILENCE_MAX_MS,
      signal: this.#abort.signal,
    })
    options.signal?.addEventListener('abort', this.#end, { signal: this.#abort.signal })
    if (options.signal?.aborted) this.#end()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Update<Shown>>> {
    assert(this.#waiting === undefined, 'Cannot read the subscription: a next() is under way')
    if (this.#abort.signal.aborted) return Promise.resolve(DONE)
    const value = this.#batch[this.#taken]
    if (value === undefined) return this.#refill()
    this.#taken++
    return Promise.resolve({ done: false, value })
  }

  return(): Promise<IteratorResult<Update<Shown>>> {
    this.#end()
    return Promise.resolve(DONE)
  }

  readonly #end = (): void => {
    this.#abort.abort()
    this.#waiting?.(DONE)
    this.#waiting = undefined
  }

  #refill(): Promise<IteratorResult<Update<Shown>>> {
    return new Promise((resolve, reject) => {
      this.#waiting = resolve
      this.#batches.next().then(
        ({ value }) => this.#deliver(value ?? []),
        (error: unknown) => {
          reject(error)
          this.#end()
        },
      )
    })
  }

  #deliver(batch: readonly Update<Shown>[]): void {
    const value = batch[0]
    if (value === undefined) return this.#end()
    this.#batch = batch
    this.#taken = 1
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.({ done: false, value })
  }
}
