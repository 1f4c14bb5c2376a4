/** Cases that wait for their time at once: one entry of about 100 bytes for each open case. */
export const CASES_WAITING_MAX = 100_000
/** The longest that Node's timers can wait is 2^31 − 1 ms. */
const TIMER_MAX_MS = 2_000_000_000

/** Names with the time at which each is due, and one timer for the earliest of them. */
export class DueTimes {
  readonly #at = new Map<string, number>()
  readonly #now: () => number
  /** Hears of those that are due, the earliest first. */
  readonly #onDue: (names: readonly string[]) => void
  readonly #max: number
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity

  constructor(
    now: () => number,
    onDue: (names: readonly string[]) => void,
    max = CASES_WAITING_MAX,
  ) {
    this.#now = now
    this.#onDue = onDue
    this.#max = max
  }

  get size(): number {
    return this.#at.size
  }

  /** Notes a time for a name, unless an earlier one is noted; says whether there was room. */
  note(name: string, at: number): boolean {
    const known = this.#at.get(name)
    if (known !== undefined && known <= at) return true
    if (known === undefined && this.#at.size >= this.#max) return false
    this.#at.set(name, at)
    if (at < this.#timerAt) this.#arm(at)
    return true
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timerAt = Infinity
    this.#at.clear()
  }

  #arm(at: number): void {
    clearTimeout(this.#timer)
    this.#timerAt = at
    const wait = Math.min(Math.max(0, at - this.#now()), TIMER_MAX_MS)
    this.#timer = setTimeout(() => this.#fire(), wait)
    // A process that has nothing else to do may end: what is due is due after the next start.
    this.#timer.unref()
  }

  #fire(): void {
    const now = this.#now()
    const due: (readonly [name: string, at: number])[] = []
    let next = Infinity
    for (const entry of this.#at) {
      if (entry[1] <= now) due.push(entry)
      else next = Math.min(next, entry[1])
    }
    for (const [name] of due) this.#at.delete(name)
    this.#timerAt = Infinity
    if (next < Infinity) this.#arm(next)
    this.#onDue(due.toSorted(([, one], [, other]) => one - other).map(([name]) => name))
  }
}
