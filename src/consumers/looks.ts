import { WAKE_TIMES_MAX, WakeTimes } from '../due-work/index.ts'
import type { Clock } from '../due-work/index.ts'
import type { ConsumerRow } from '../log/index.ts'

/** Looks under way at once. */
const LOOKS_AT_ONCE_MAX = 8
/** Threads whose look is due that wait for another to end; the feed is read on once half are gone. */
const LOOKS_WAITING_MAX = 10_000
/** The pause before another look at a thread whose look failed, in milliseconds. */
export const LOOK_AGAIN_MS = 60_000

export interface LookContext {
  /** Aborts when the consumer is closed or has lost its lease: another process may look at the thread. */
  readonly signal: AbortSignal
}

/**
 * Looks at a thread that has grown, or whose time has come. `dueAt` is when to look again although nothing is
 * appended, in milliseconds since the epoch. It may come twice for the same records.
 */
export type Look = (
  thread: string,
  context: LookContext,
) => Promise<{ readonly dueAt?: number | undefined } | undefined | void>

export interface LooksParts {
  readonly look: Look
  readonly clock: Clock
  readonly onFault: (error: unknown, thread: string) => void
  /** Gets the row of a thread each time that it changes. */
  readonly onRow: (row: ConsumerRow) => void
  /** Called once there is room again for threads that found none. */
  readonly onRoom: () => void
}

/** The looks at threads whose time has come, so many at once, and the times of the others. */
export class Looks {
  readonly #parts: LooksParts
  readonly #times: WakeTimes
  readonly #waiting = new Set<string>()
  readonly #working = new Map<string, Promise<void>>()
  readonly #abort = new AbortController()
  readonly #roomWanted: (() => void)[] = []
  #isClosed = false
  /** Threads were left out, since too many wait: their saved rows have them. */
  #hasLeftOut = false

  constructor(parts: LooksParts) {
    this.#parts = parts
    this.#times = new WakeTimes(parts.clock, (thread) => {
      this.#waiting.add(thread)
      this.#begin()
    })
  }

  /** Notes that a thread is to be looked at, now or at a time. */
  due(thread: string, at: number): void {
    if (this.#isClosed) return
    if (at > this.#parts.clock.now()) {
      if (!this.#times.set(thread, at)) this.#hasLeftOut = true
      return
    }
    this.#times.set(thread, undefined)
    this.#waiting.add(thread)
    this.#begin()
  }

  /** Resolves once few enough threads wait. */
  async room(): Promise<void> {
    if (this.#isClosed || this.#waiting.size < LOOKS_WAITING_MAX) return
    await new Promise<void>((resolve) => this.#roomWanted.push(resolve))
  }

  /** Begins no look; those under way may end within `graceMs`, then their signal aborts. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true
    this.#times.clear()
    this.#waiting.clear()
    this.#giveRoom()
    const cancel = this.#parts.clock.after(graceMs, () => this.#abort.abort())
    if (graceMs <= 0) this.#abort.abort()
    await Promise.all(this.#working.values())
    cancel()
  }

  #begin(): void {
    for (const thread of this.#waiting) {
      if (this.#isClosed || this.#working.size >= LOOKS_AT_ONCE_MAX) return
      if (this.#working.has(thread)) continue
      this.#waiting.delete(thread)
      const work = this.#look(thread).finally(() => {
        this.#working.delete(thread)
        if (this.#waiting.size <= LOOKS_WAITING_MAX / 2) this.#giveRoom()
        this.#begin()
      })
      this.#working.set(thread, work)
    }
  }

  async #look(thread: string): Promise<void> {
    const { look, clock, onFault, onRow } = this.#parts
    const { signal } = this.#abort
    try {
      const dueAt = (await look(thread, { signal }))?.dueAt
      // Cut short, it may have left out something: the next holder of the lease looks again.
      if (signal.aborted) return
      if (!this.#waiting.has(thread)) onRow({ thread, dueAt })
      if (dueAt !== undefined && !this.#waiting.has(thread)) this.due(thread, dueAt)
    } catch (error) {
      if (signal.aborted) return
      onFault(error, thread)
      this.due(thread, clock.now() + LOOK_AGAIN_MS)
    }
  }

  #giveRoom(): void {
    for (const resolve of this.#roomWanted.splice(0)) resolve()
    const isFull = this.#times.size > WAKE_TIMES_MAX / 2
    if (!this.#hasLeftOut || this.#isClosed || isFull) return
    this.#hasLeftOut = false
    this.#parts.onRoom()
  }
}
