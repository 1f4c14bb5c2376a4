import type { Cursors } from '../log/index.ts'
import { NewestMap } from '../thread/index.ts'

/** How far the clocks of servers over one store may differ, in milliseconds. */
export const CLOCKS_DIFFER_MAX_MS = 600_000
/** The time by which the saved one may lag, in milliseconds. */
const SAVE_INTERVAL_MS = 60_000
/** Threads that are being read, or could not be: each holds the time back. */
const HELD_MAX = 10_000

export interface SentUntilParts {
  readonly name: string
  readonly cursors: Cursors | undefined
  readonly now: () => number
}

/**
 * The time up to which all runs that ended were sent: a process that has not read a thread before sends the runs of
 * it that ended later. It is earlier than need be, by as much as clocks may differ.
 */
export class SentUntil {
  readonly #parts: SentUntilParts
  readonly #held = new NewestMap<number>(HELD_MAX)
  #newest: number
  #saved: number

  /** Continues from the saved time; the first start begins with what ends from `since` on. */
  static async load(parts: SentUntilParts, since: number): Promise<SentUntil> {
    const sent = new SentUntil(parts, since)
    if (!(await sent.refresh())) await sent.#save(since)
    return sent
  }

  private constructor(parts: SentUntilParts, time: number) {
    this.#parts = parts
    this.#saved = time
    this.#newest = time + CLOCKS_DIFFER_MAX_MS
  }

  /** Takes over the time that another process has saved; false while there is none. */
  async refresh(): Promise<boolean> {
    const saved = Number((await this.#parts.cursors?.load(this.#parts.name)) ?? Number.NaN)
    if (!Number.isFinite(saved)) return false
    this.#saved = saved
    this.#newest = Math.max(this.#newest, saved + CLOCKS_DIFFER_MAX_MS)
    return true
  }

  /** Milliseconds since the epoch. */
  get time(): number {
    const least = Math.min(this.#newest, this.#parts.now(), ...this.#held.values())
    return Math.max(this.#saved, least - CLOCKS_DIFFER_MAX_MS)
  }

  /** A thread is read now: what it holds may not have been sent. */
  hold(thread: string, from: number = this.#newest): void {
    this.#held.set(thread, from)
  }

  /** All that the thread holds was sent. */
  async release(thread: string): Promise<void> {
    this.#newest = Math.max(this.#newest, this.#held.get(thread) ?? 0)
    this.#held.delete(thread)
    const { time } = this
    if (time >= this.#saved + SAVE_INTERVAL_MS) await this.#save(time)
  }

  async #save(time: number): Promise<void> {
    this.#saved = time
    await this.#parts.cursors?.save(this.#parts.name, String(time), [])
  }
}
