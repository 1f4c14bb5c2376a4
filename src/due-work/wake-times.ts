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
  /** The latest time of the clock at which a time was set. */
  #latest = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, wake: (thread: string) => void) {
    this.#clock = clock
    this.#wake = wake
  }

  /** The number of threads that wait. */
  get size(): number {
    return this.#times.size
  }

  /** Returns false when the time was not kept, since {@link WAKE_TIMES_MAX} threads wait. */
  set(thread: string, at: number | undefined): boolean {
    if (at === undefined) {
      this.#times.delete(thread)
      return true
    }
    if (!this.#times.has(thread) && this.#times.size >= WAKE_TIMES_MAX) return false
    this.#times.set(thread, at)
    this.#latest = Math.max(this.#latest, this.#clock.now())
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
    // A retry that was timed before the clock went back would wait too long: all threads look again.
    const wentBack = now < this.#latest
    if (wentBack) this.#latest = now
    const past = [...this.#times].filter(([, at]) => wentBack || at <= now)
    for (const [thread] of past) this.#times.delete(thread)
    let earliest = Number.POSITIVE_INFINITY
    for (const at of this.#times.values()) earliest = Math.min(earliest, at)
    this.#arm(earliest)
    for (const [thread] of past) this.#wake(thread)
  }
}
