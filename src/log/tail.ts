import { assert } from '../assert/index.ts'
import { BATCH_RECORDS_MAX, isCursor } from './batch.ts'
import type { Batch, LoadBatch } from './batch.ts'
import { LogError } from './log-error.ts'
import { Ring } from './ring.ts'
import type { Sealed } from './seal.ts'

/** Open subscriptions of one log. */
export const SUBSCRIBERS_MAX = 20_000
/** Threads whose newest records are kept in memory; the one that was longest silent goes first. */
export const TAIL_THREADS_MAX = 128

type Step = IteratorResult<Batch, undefined>

interface Channel {
  readonly thread: string
  readonly subscriptions: Set<Subscription>
  /** The last seq published since the channel opened. */
  head: number
}

/**
 * The live end of a log. A subscription is a cursor that pulls: it reads from storage until it has
 * seen everything, from then on what is published, and costs nothing while nobody asks it.
 */
export class LiveTail {
  readonly #loaderOf: (thread: string) => LoadBatch
  readonly #channels = new Map<string, Channel>()
  readonly #rings = new Map<string, Ring>()
  #count = 0
  #closed = false

  constructor(loaderOf: (thread: string) => LoadBatch) {
    this.#loaderOf = loaderOf
  }

  /** Hands out the records of one append. Called in seq order, once they can be loaded. */
  publish(thread: string, appended: readonly Sealed[]): void {
    const channel = this.#channels.get(thread)
    const last = appended.at(-1)
    if (!channel || !last) return
    const ring = this.#ringOf(thread)
    for (const sealed of appended) ring.push(sealed)
    channel.head = last.record.seq
    for (const subscription of channel.subscriptions) subscription.wake()
  }

  /**
   * @throws {@link LogError} `closed`, `busy`
   */
  subscribe(thread: string, after = -1): AsyncIterableIterator<Batch> {
    assert(isCursor(after), `Cannot subscribe to "${thread}": after is ${after}`)
    if (this.#closed) throw new LogError('closed', `Cannot subscribe to "${thread}": log is closed`)
    if (this.#count >= SUBSCRIBERS_MAX) {
      throw new LogError(
        'busy',
        `Cannot subscribe to "${thread}": ${SUBSCRIBERS_MAX} subscriptions are open`,
      )
    }
    const channel = this.#channelOf(thread)
    const load = this.#loaderOf(thread)
    const subscription = new Subscription({
      after,
      load: (from) => this.#rings.get(thread)?.batch(from) ?? load(from, BATCH_RECORDS_MAX),
      published: () => channel.head,
      leave: () => this.#leave(channel, subscription),
    })
    channel.subscriptions.add(subscription)
    this.#count++
    return subscription
  }

  /** Ends every subscription, those that wait included. */
  close(): void {
    this.#closed = true
    for (const { subscriptions } of this.#channels.values()) {
      for (const subscription of subscriptions) subscription.end()
    }
  }

  #channelOf(thread: string): Channel {
    const found = this.#channels.get(thread)
    if (found) return found
    const channel = { thread, subscriptions: new Set<Subscription>(), head: -1 }
    this.#channels.set(thread, channel)
    return channel
  }

  #leave(channel: Channel, subscription: Subscription): void {
    if (!channel.subscriptions.delete(subscription)) return
    this.#count--
    if (channel.subscriptions.size > 0) return
    this.#channels.delete(channel.thread)
    this.#rings.delete(channel.thread)
  }

  #ringOf(thread: string): Ring {
    const ring = this.#rings.get(thread) ?? new Ring()
    this.#rings.delete(thread)
    this.#rings.set(thread, ring)
    for (const quietest of this.#rings.keys()) {
      if (this.#rings.size <= TAIL_THREADS_MAX) break
      this.#rings.delete(quietest)
    }
    return ring
  }
}

interface SubscriptionParts {
  readonly after: number
  readonly load: (after: number) => Batch | Promise<Batch>
  readonly published: () => number
  readonly leave: () => void
}

/**
 * Not a generator: a generator's `return()` would queue up behind a `next()` that waits for records
 * that may never come.
 */
class Subscription implements AsyncIterableIterator<Batch> {
  readonly #parts: SubscriptionParts
  #after: number
  #ended = false
  /** Storage was read to its head once, so whatever is newer will be published. */
  #live = false
  #asked: PromiseWithResolvers<Step> | undefined
  #waiting = false

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    this.#after = parts.after
  }

  next(): Promise<Step> {
    if (this.#ended) return Promise.resolve(DONE)
    if (this.#asked) return this.#asked.promise.then(() => this.next())
    this.#asked = Promise.withResolvers<Step>()
    const { promise } = this.#asked
    void this.#pull()
    return promise
  }

  return(): Promise<Step> {
    this.end()
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  end(): void {
    this.#ended = true
    this.#parts.leave()
    this.#settle((asked) => asked.resolve(DONE))
  }

  wake(): void {
    if (this.#waiting) void this.#pull()
  }

  /** Answers the pending `next()`, or leaves it waiting when all that is stored was seen. */
  async #pull(): Promise<void> {
    this.#waiting = false
    try {
      while (!this.#live || this.#parts.published() > this.#after) {
        const loaded = this.#parts.load(this.#after)
        const batch = isBatch(loaded) ? loaded : await loaded
        const last = batch.at(-1)
        if (last) {
          this.#after = last.seq
          return this.#settle((asked) => asked.resolve({ done: false, value: batch }))
        }
        assert(
          !this.#live || this.#parts.published() <= this.#after,
          `Cannot follow a thread: ${this.#after + 1} was published and is not stored`,
        )
        this.#live = true
      }
      this.#waiting = true
    } catch (error) {
      this.#ended = true
      this.#parts.leave()
      this.#settle((asked) => asked.reject(error))
    }
  }

  #settle(how: (asked: PromiseWithResolvers<Step>) => void): void {
    const asked = this.#asked
    this.#asked = undefined
    if (asked) how(asked)
  }
}

const DONE: Step = Object.freeze({ done: true, value: undefined })

function isBatch(loaded: Batch | Promise<Batch>): loaded is Batch {
  return Array.isArray(loaded)
}
