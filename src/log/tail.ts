import { assert } from '../assert/index.ts'
import { BATCH_RECORDS_MAX, isCursor } from './batch.ts'
import type { Batch, LoadBatch } from './batch.ts'
import { LogError } from './log-error.ts'
import type { LogRecord } from './record.ts'
import { Ring } from './ring.ts'
import type { Sealed } from './seal.ts'
import { Subscription } from './subscription.ts'

/** Open subscriptions of one log. */
export const SUBSCRIBERS_MAX = 20_000
/** Threads whose newest records are kept in memory; the one that was longest silent goes first. */
export const TAIL_THREADS_MAX = 128

interface Channel {
  readonly thread: string
  readonly subscriptions: Set<Subscription<LogRecord>>
  /** The last seq published since the channel opened. */
  head: number
}

/**
 * The live end of a log. A subscription is a cursor that pulls: it reads from storage until it has
 * seen everything, from then on the published records, and costs nothing between requests.
 */
export class LiveTail {
  readonly #channels = new Map<string, Channel>()
  readonly #rings = new Map<string, Ring>()
  #count = 0
  #closed = false

  /** Hands out the records of one append. Called in seq order, once they can be loaded. */
  publish(thread: string, appended: readonly Sealed[]): void {
    const channel = this.#channels.get(thread)
    const last = appended.at(-1)
    if (!channel || !last) return
    const ring = this.#ringOf(thread)
    for (const sealed of appended) ring.push(sealed)
    this.moved(thread, last.record.seq)
  }

  /** Reports a thread's head after an append by any process. Called once it can be loaded. */
  moved(thread: string, head: number): void {
    const channel = this.#channels.get(thread)
    if (!channel || head <= channel.head) return
    channel.head = head
    for (const subscription of channel.subscriptions) subscription.wake()
  }

  /** The threads that have subscriptions, for the poll of their heads. */
  watched(): readonly string[] {
    return [...this.#channels.keys()]
  }

  /** @throws {@link LogError} `closed` once the tail is closed, and its log with it */
  assertOpen(action: string): void {
    if (this.#closed) throw new LogError('closed', `Cannot ${action}: the log is closed`)
  }

  /**
   * @throws {@link LogError} `closed`, `busy`
   */
  subscribe(thread: string, load: LoadBatch, after = -1): AsyncIterableIterator<Batch> {
    assert(isCursor(after), `Cannot subscribe to "${thread}": after is ${after}`)
    this.assertOpen(`subscribe to "${thread}"`)
    if (this.#count >= SUBSCRIBERS_MAX) {
      throw new LogError(
        'busy',
        `Cannot subscribe to "${thread}": ${SUBSCRIBERS_MAX} subscriptions are open`,
      )
    }
    const channel = this.#channelOf(thread)
    const subscription = new Subscription<LogRecord>({
      after,
      load: (from) => this.#rings.get(thread)?.batch(from) ?? load(from, BATCH_RECORDS_MAX),
      placeOf: ({ seq }) => seq,
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
    const channel = { thread, subscriptions: new Set<Subscription<LogRecord>>(), head: -1 }
    this.#channels.set(thread, channel)
    return channel
  }

  #leave(channel: Channel, subscription: Subscription<LogRecord>): void {
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
