/** Two clicks closer than this are one. */
const DOUBLE_CLICK_MS = 500

/** Tells a double click from two clicks. */
export class Clicks {
  readonly #now: () => number
  readonly #withinMs: number
  #latest: { readonly what: string; readonly at: number } | undefined

  constructor(now = Date.now, withinMs = DOUBLE_CLICK_MS) {
    this.#now = now
    this.#withinMs = withinMs
  }

  /** Whether a click for this repeats the latest one; if not, it is the latest. */
  isRepeat(what: string): boolean {
    const at = this.#now()
    const latest = this.#latest
    if (latest?.what === what && at - latest.at < this.#withinMs) return true
    this.#latest = { what, at }
    return false
  }

  /** The next click repeats none. */
  restart(): void {
    this.#latest = undefined
  }
}
