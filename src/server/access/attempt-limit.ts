/** Wrong tokens of one address that are compared in a minute. */
export const ATTEMPTS_PER_MINUTE_MAX = 10
/** Addresses that are counted one by one; those beyond share one count. */
export const ADDRESSES_COUNTED_MAX = 10_000

const MINUTE_MS = 60_000
const OTHER_ADDRESSES = 'others'

/** Limits how often an address may be wrong within a minute. */
export class AttemptLimit {
  readonly #now: () => number
  /** The times of the last wrong attempts, the address that was wrong last at the end. */
  readonly #wrong = new Map<string, readonly number[]>()

  /** `now` gives milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns how long the address has to wait before its next attempt, in milliseconds. */
  waitMs(address: string): number {
    const attempts = this.#recent(this.#countedAs(address))
    const [oldest = 0] = attempts
    return attempts.length < ATTEMPTS_PER_MINUTE_MAX ? 0 : oldest + MINUTE_MS - this.#now()
  }

  countWrong(address: string): void {
    this.#forgetOld()
    const key = this.#countedAs(address)
    const attempts = [...this.#recent(key), this.#now()]
    this.#wrong.delete(key)
    this.#wrong.set(key, attempts)
  }

  #countedAs(address: string): string {
    const isCounted = this.#wrong.has(address) || this.#wrong.size < ADDRESSES_COUNTED_MAX
    return isCounted ? address : OTHER_ADDRESSES
  }

  #recent(key: string): readonly number[] {
    const since = this.#now() - MINUTE_MS
    return (this.#wrong.get(key) ?? []).filter((time) => time > since)
  }

  #forgetOld(): void {
    for (const address of this.#wrong.keys()) {
      if (this.#recent(address).length > 0) break
      this.#wrong.delete(address)
    }
  }
}
