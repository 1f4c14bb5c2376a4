import { inBackground, nextTurn, startIdleTimer } from '../platform/index.ts'

/** The time, and a timer that does not depend on it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Runs `work` once after `ms`. Returns a function that cancels the timer. */
  readonly after: (ms: number, work: () => void) => () => void
}

/** The clock of this machine. Its timers keep no process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after: (ms, work) => startIdleTimer(work, ms),
}

/** A clock that moves only when a test moves it: for tests of deadlines and retries. */
export class ManualClock implements Clock {
  #wall: number
  #elapsed = 0
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>()

  constructor(now = 0) {
    this.#wall = now
  }

  readonly now = (): number => this.#wall

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.#elapsed + ms, work }
    this.#timers.add(timer)
    // Due already: it needs no time to pass.
    if (ms <= 0) inBackground(nextTurn().then(() => this.advance(0)))
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** Lets time pass, and runs the timers that end in it, the earliest first. */
  advance(ms: number): void {
    const end = this.#elapsed + ms
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers.delete(next)
      this.#pass(Math.max(0, next.at - this.#elapsed))
      next.work()
    }
    this.#pass(end - this.#elapsed)
  }

  /** Sets the time forward or back, as a person would; no timer runs for it. */
  jump(ms: number): void {
    this.#wall += ms
  }

  #pass(ms: number): void {
    this.#elapsed += ms
    this.#wall += ms
  }

  #next(end: number) {
    const [next] = [...this.#timers].toSorted((one, other) => one.at - other.at)
    return next && next.at <= end ? next : undefined
  }
}
