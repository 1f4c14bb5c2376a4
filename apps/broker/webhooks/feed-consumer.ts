import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { Holdings } from 'throughline/server/extend'
import { LogError } from 'throughline/log'
import type { EventLog } from 'throughline'
import type { Moved } from 'throughline/log'
import type { OpenRow } from 'throughline/server/extend'
import { DELIVERIES } from './delivery-list.ts'
import type { CaseLook, DeliveryLists } from './delivery-list.ts'

/** The pause after a look, in which the records of the threads gather. */
const GATHER_MS = 10
/** The time between two saves of the lists. */
const SAVE_INTERVAL_MS = 1_000
/** Threads that are looked at together. */
const LOOKS_AT_ONCE = 8
/** Looks that wait for the next save; with more the lists are saved at once. */
const UNSAVED_LOOKS_MAX = 1_024
/** The due time of a thread that could not be looked at: the next start looks again. */
const LOOK_AGAIN = 0
/** The pause after a fault of the store. */
export const FAULT_PAUSE_MS = 60_000

export interface FeedConsumerParts {
  readonly log: EventLog
  readonly lists: DeliveryLists
  /** Called with the signal of the lease each time that the lease is acquired. */
  readonly onHeld: (lease: AbortSignal) => void
  /** Called with each case on the saved list of open deliveries. */
  readonly resume: (row: OpenRow) => void
  /** Looks at a thread that moved; the consumer saves the answer. */
  readonly look: (thread: string) => Promise<CaseLook>
  readonly onFault: (error: unknown) => void
}

/**
 * Follows the feed under the lease `broker.webhooks`: one process at a time looks at the threads that
 * move, and saves how far it has come. At least once: a start may look at a thread again.
 */
export class FeedConsumer {
  readonly #parts: FeedConsumerParts
  readonly #holdings: Holdings
  readonly #stopping = new AbortController()
  readonly #unsaved = new Map<string, CaseLook>()
  #lease = new AbortController().signal
  #feed: AsyncIterableIterator<readonly Moved[]> | undefined
  #position = ''
  #savedPosition: string | undefined
  #saveTimer: NodeJS.Timeout | undefined
  #consuming: Promise<void> = Promise.resolve()

  constructor(parts: FeedConsumerParts) {
    this.#parts = parts
    this.#holdings = new Holdings(parts.log.leases)
  }

  start(): void {
    this.#consuming = this.#consume()
  }

  /** Saves the lists and reads them again, under the same lease. */
  async restart(): Promise<void> {
    await this.#feed?.return?.()
  }

  /** Saves the lists and releases the lease. */
  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#feed?.return?.()
    await this.#consuming
  }

  async #consume(): Promise<void> {
    while (!this.#isStopping) {
      try {
        const holding = await this.#holdings.hold(DELIVERIES, this.#stopping.signal)
        this.#lease = holding.signal
        await this.#consumeHeld().finally(() => holding.done())
      } catch (error) {
        if (this.#isStopping || isClosed(error)) return
        await this.#pauseAfter(error)
      }
    }
  }

  async #consumeHeld(): Promise<void> {
    const lease = this.#lease
    const endFeed = (): void => {
      this.#feed?.return?.().catch(this.#parts.onFault)
    }
    lease.addEventListener('abort', endFeed)
    this.#parts.onHeld(lease)
    while (!this.#hasEnded) {
      try {
        await this.#consumeFromSaved()
      } catch (error) {
        // Requests that are under way go on: the lease is still held.
        if (!this.#hasEnded) await this.#pauseAfter(error)
      }
      await this.#save()
    }
    lease.removeEventListener('abort', endFeed)
  }

  /** Follows the feed from the saved position, until the feed is closed. */
  async #consumeFromSaved(): Promise<void> {
    const { log, lists, resume } = this.#parts
    const { position, rows } = await lists.loadDeliveries()
    this.#unsaved.clear()
    this.#position = position
    for (const row of rows) resume(row)
    const failed = rows.filter(({ dueAt }) => dueAt === LOOK_AGAIN)
    await this.#lookAt(failed.map(({ thread }) => ({ thread, position })))
    if (this.#hasEnded) return
    this.#feed = log.feed({ after: position })
    let isLive = false
    for await (const moved of this.#feed) {
      await this.#lookAt(moved)
      if (moved.length === 0) isLive = true
      else if (isLive) await pause(GATHER_MS)
    }
  }

  async #lookAt(moved: readonly Pick<Moved, 'thread' | 'position'>[]): Promise<void> {
    for (let at = 0; at < moved.length; at += LOOKS_AT_ONCE) {
      const some = moved.slice(at, at + LOOKS_AT_ONCE)
      await Promise.all(some.map(({ thread }) => this.#look(thread)))
      this.#position = some.at(-1)?.position ?? this.#position
      if (moved.length > LOOKS_AT_ONCE) await setImmediate()
    }
    if (this.#unsaved.size > UNSAVED_LOOKS_MAX) await this.#save()
    if (this.#unsaved.size > 0) {
      this.#saveTimer ??= setTimeout(() => {
        this.#save().catch(this.#parts.onFault)
      }, SAVE_INTERVAL_MS).unref()
    }
  }

  async #look(thread: string): Promise<void> {
    try {
      this.#unsaved.set(thread, await this.#parts.look(thread))
    } catch (error) {
      this.#parts.onFault(error)
      this.#unsaved.set(thread, { dueAt: LOOK_AGAIN, deadOpenedAt: 0 })
    }
  }

  async #save(): Promise<void> {
    clearTimeout(this.#saveTimer)
    this.#saveTimer = undefined
    // After the lease is lost, another process saves its own lists.
    if (this.#lease.aborted) return
    if (this.#unsaved.size === 0 && this.#position === this.#savedPosition) return
    const looks = new Map(this.#unsaved)
    this.#unsaved.clear()
    this.#savedPosition = this.#position
    await this.#parts.lists.save(this.#position, looks)
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  get #hasEnded(): boolean {
    return this.#isStopping || this.#lease.aborted
  }

  async #pauseAfter(error: unknown): Promise<void> {
    this.#parts.onFault(error)
    const { signal } = this.#stopping
    await pause(FAULT_PAUSE_MS, undefined, { ref: false, signal }).catch(onlyStopped)
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof LogError && error.code === 'closed'
}

/** The pause was cut short because the process stops. */
function onlyStopped(): void {}
