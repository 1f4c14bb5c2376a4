import { NewestMap } from '../thread/index.ts'

/** Keys of effects and deadlines that one process remembers as ended; others are looked up in the log. */
export const KNOWN_KEYS_MAX = 10_000

/** Remembers keys that the log was found to hold, so that it is not asked for them again. */
export class KnownKeys {
  readonly #keys = new NewestMap<true>(KNOWN_KEYS_MAX)

  add(thread: string, slot: string): void {
    this.#keys.set(JSON.stringify([thread, slot]), true)
  }

  has(thread: string, slot: string): boolean {
    return this.#keys.size > 0 && this.#keys.has(JSON.stringify([thread, slot]))
  }
}
