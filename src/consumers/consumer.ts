import { Holdings, LogError } from '../log/index.ts'
import type { ConsumerRow, Cursors, EventLog, Moved } from '../log/index.ts'
import type { Clock } from '../due-work/index.ts'
import { inBackground } from '../platform/index.ts'
import { Looks } from './looks.ts'
import type { Look } from './looks.ts'
import { saveRows, savedRows } from './saved-rows.ts'

/** The pause in which the records of threads gather, in milliseconds. */
const GATHER_MS = 10
/** The time between two saves, in milliseconds. */
const SAVE_INTERVAL_MS = 1_000
/** Rows that wait for the next save; with more they are saved at once. */
const ROWS_UNSAVED_MAX = 1_024
/** The pause after a fault of the store, in milliseconds. */
const FAULT_PAUSE_MS = 10_000
/** How long looks under way may take to end on close, in milliseconds. */
export const LOOKS_GRACE_MS = 5_000

export interface ConsumerParts {
  readonly name: string
  readonly version: string
  readonly log: EventLog
  readonly cursors: Cursors | undefined
  readonly look: Look
  readonly clock: Clock
  readonly onFault: (error: unknown, thread?: string) => void
}

/**
 * Follows the feed under a lease of its name: one process at a time looks at the threads that grow, and saves how
 * far it has come.
 */
export class Consumer {
  readonly #parts: ConsumerParts
  readonly #holdings: Holdings
  readonly #unsaved = new Map<string, ConsumerRow>()
  readonly #stopping = new AbortController()
  #feed: AsyncIterableIterator<readonly Moved[]> | undefined
  #position = ''
  #savedPosition = ''
  #cancelSave: (() => void) | undefined
  #graceMs = LOOKS_GRACE_MS
  #following: Promise<void>

  constructor(parts: ConsumerParts) {
    this.#parts = parts
    this.#holdings = new Holdings(parts.log.leases)
    this.#following = this.#follow()
  }

  /** Begins no look; those under way may end within `graceMs`. Then saves, and gives up the lease. */
  async close(graceMs: number = LOOKS_GRACE_MS): Promise<void> {
    this.#graceMs = graceMs
    this.#stopping.abort()
    await this.#feed?.return?.()
    await this.#following
  }

  async #follow(): Promise<void> {
    const { name, onFault } = this.#parts
    while (!this.#isStopping) {
      try {
        const holding = await this.#holdings.hold(name, this.#stopping.signal)
        await this.#followUnder(holding.signal).finally(() => holding.done())
      } catch (error) {
        if (this.#isStopping || isClosed(error)) return
        onFault(error)
        await this.#pause(FAULT_PAUSE_MS)
      }
    }
  }

  /** Until the consumer is closed or the lease is lost. */
  async #followUnder(lease: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([lease, this.#stopping.signal])
    const looks = new Looks({
      ...this.#parts,
      onRow: (row) => this.#note(row),
      // The threads that found no room are in the saved rows.
      onRoom: () => this.#endFeed(),
    })
    // Another process looks from then on.
    const lose = (): void => inBackground(looks.close(0))
    lease.addEventListener('abort', lose)
    ended.addEventListener('abort', this.#endFeed)
    try {
      while (!ended.aborted) await this.#followFromSaved(looks, ended)
    } finally {
      lease.removeEventListener('abort', lose)
      ended.removeEventListener('abort', this.#endFeed)
      await looks.close(this.#isStopping ? this.#graceMs : 0)
      if (!lease.aborted) await this.#save()
      this.#forgetUnsaved()
    }
  }

  async #followFromSaved(looks: Looks, ended: AbortSignal): Promise<void> {
    const { log, cursors } = this.#parts
    await this.#save()
    const { position, rows } = await savedRows(cursors, this.#parts)
    this.#position = position
    this.#savedPosition = position
    for (const { thread, dueAt } of rows) {
      await looks.room()
      looks.due(thread, dueAt)
    }
    if (ended.aborted) return
    this.#feed = log.feed({ after: position })
    let isLive = false
    for await (const moved of this.#feed) {
      for (const { thread } of moved) {
        this.#note({ thread, dueAt: 0 })
        looks.due(thread, 0)
      }
      this.#position = moved.at(-1)?.position ?? this.#position
      if (this.#unsaved.size > ROWS_UNSAVED_MAX) await this.#save()
      await looks.room()
      if (moved.length === 0) isLive = true
      else if (isLive) await this.#pause(GATHER_MS)
    }
  }

  /** Keeps a row for the next save. Until its look has ended, a thread that grew has the time 0. */
  #note(row: ConsumerRow): void {
    this.#unsaved.set(row.thread, row)
    this.#cancelSave ??= this.#parts.clock.after(SAVE_INTERVAL_MS, () => {
      this.#save().catch(this.#parts.onFault)
    })
  }

  async #save(): Promise<void> {
    this.#cancelSave?.()
    this.#cancelSave = undefined
    if (this.#unsaved.size === 0 && this.#position === this.#savedPosition) return
    const rows = [...this.#unsaved.values()]
    const position = this.#position
    this.#unsaved.clear()
    try {
      await saveRows(this.#parts.cursors, this.#parts, { position, rows })
      this.#savedPosition = position
    } catch (error) {
      for (const row of rows) if (!this.#unsaved.has(row.thread)) this.#note(row)
      throw error
    }
  }

  #forgetUnsaved(): void {
    this.#cancelSave?.()
    this.#cancelSave = undefined
    this.#unsaved.clear()
  }

  readonly #endFeed = (): void => {
    if (this.#feed?.return) inBackground(this.#feed.return())
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isStopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const { signal } = this.#stopping
    const cancel = this.#parts.clock.after(ms, resolve)
    const stop = (): void => resolve()
    signal.addEventListener('abort', stop)
    await promise
    signal.removeEventListener('abort', stop)
    cancel()
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof LogError && error.code === 'closed'
}
