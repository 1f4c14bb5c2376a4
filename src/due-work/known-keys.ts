/** Keys of effects and deadlines that one process remembers as ended; others are looked up in the log. */
export const KNOWN_KEYS_MAX = 10_000

/** Remembers keys that the log was found to hold, so that it is not asked for them again. */
export class KnownKeys {
  readonly #keys = new Set<string>()

  add(thread: string, slot: string): void {
    this.#keys.add(JSON.stringify([thread, slot]))
    for (const oldest of this.#keys) {
      if (this.#keys.size <= KNOWN_KEYS_MAX) break
      this.#keys.delete(oldest)
    }
  }

  has(thread: string, slot: string): boolean {
    return this.#keys.size > 0 && this.#keys.has(JSON.stringify([thread, slot]))
  }
}
