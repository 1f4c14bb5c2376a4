/** The first pause until a stream names its own with `retry`. */
const RETRY_DELAY_MS = 500
/** No pause is longer, whatever the server asks for: after a restart everybody is back in 15 s. */
const RETRY_DELAY_MAX_MS = 8_000

/** Exponential pauses with full jitter, so that clients cut off together do not return together. */
export class Backoff {
  readonly #random: () => number
  #baseMs = RETRY_DELAY_MS
  #failures = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Takes the pause that the server asks for; never 0, which doubling would leave at 0. */
  setBase(delayMs: number): void {
    this.#baseMs = Math.min(Math.max(1, delayMs), RETRY_DELAY_MAX_MS)
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Returns the pause before the next try, in milliseconds: `retryAfterMs` and a random time, at most 8 s. */
  failed(retryAfterMs = 0): number {
    const ceiling = Math.min(this.#baseMs * 2 ** this.#failures++, RETRY_DELAY_MAX_MS)
    return Math.min(retryAfterMs + this.#random() * ceiling, RETRY_DELAY_MAX_MS)
  }
}
