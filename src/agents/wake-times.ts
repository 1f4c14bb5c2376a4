import type { Clock } from './clock.ts'

/** Threads that wait for a time in one process. */
export const WAKE_TIMES_MAX = 100_000
/**
 * The longest timer. A clock that jumps forward, and a machine that slept, are noticed within it; Node's
 * own timers go to 24.8 days only.
 */
export const WAKE_TIMER_MAX_MS = 60_000

/** Keeps the next time of each thread, with one timer for the earliest. */
export class WakeTimes {
  readonly #clock: Clock
  readonly #wake: (thread: string) => void
  readonly #times = new Map<string, number>()
  #cancel: () => void = () => {}
  #earliest = Number.POSITIVE_INFINITY

  constructor(clock: Clock, wake: (thread: string) => void) {
    this.#clock = clock
    this.#wake = wake
  }

  /** Returns false when the time was not kept, since {@link WAKE_TIMES_MAX} threads wait. */
  set(thread: string, at: number | undefined): boolean {
    if (at === undefined) {
      this.#times.delete(thread)
      return true
    }
    if (!this.#times.has(thread) && this.#times.size >= WAKE_TIMES_MAX) return false
    this.#times.set(thread, at)
    // A timer that is too early finds nothing and is set again.
    if (at < this.#earliest) this.#arm(at)
    return true
  }

  clear(): void {
    this.#times.clear()
    this.#cancel()
    this.#earliest = Number.POSITIVE_INFINITY
  }

  #arm(at: number): void {
    this.#cancel()
    this.#earliest = at
    if (at === Number.POSITIVE_INFINITY) return
    const ms = Math.min(Math.max(0, at - this.#clock.now()), WAKE_TIMER_MAX_MS)
    this.#cancel = this.#clock.after(ms, () => this.#fire())
  }

  #fire(): void {
    const now = this.#clock.now()
    const past = [...this.#times].filter(([, at]) => at <= now)
    for (const [thread] of past) this.#times.delete(thread)
    let earliest = Number.POSITIVE_INFINITY
    for (const at of this.#times.values()) earliest = Math.min(earliest, at)
    this.#arm(earliest)
    for (const [thread] of past) this.#wake(thread)
  }
}
