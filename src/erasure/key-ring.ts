import type { KeyState, Keys } from '../log/index.ts'
import { NewestMap } from '../thread/index.ts'

/** Keys that a process holds in memory; the one that was asked for the longest ago goes first. */
export const KEYS_CACHED_MAX = 10_000

/** The keys of subjects, of which a process remembers those that it uses. */
export class KeyRing {
  readonly keys: Keys
  readonly #known = new NewestMap<Promise<KeyState>>(KEYS_CACHED_MAX)
  #forgotten = 0

  constructor(keys: Keys) {
    this.keys = keys
  }

  /** The key of a subject, made where there is none. */
  of(subject: string): Promise<KeyState> {
    const known = this.#known.get(subject)
    if (known) return known
    const asked = this.keys.keyOf(subject)
    this.#known.set(subject, asked)
    asked.catch(() => this.#known.delete(subject))
    return asked
  }

  /** The same without making one. */
  async find(subject: string): Promise<KeyState | undefined> {
    const known = this.#known.get(subject)
    if (known) return known
    const forgotten = this.#forgotten
    const found = await this.keys.find(subject)
    // What an erasure has forgotten meanwhile must not come back.
    if (found && forgotten === this.#forgotten) this.#known.set(subject, Promise.resolve(found))
    return found
  }

  /** Drops what it remembers: from now on the store of keys is asked again. */
  forget(subject: string): void {
    this.#forgotten++
    this.#known.delete(subject)
  }
}
