import type { Anchor } from '../log/index.ts'

/** Threads whose head is kept in memory; the one longest unused goes first. */
export const HEADS_CACHED_MAX = 10_000

export class HeadCache<Head extends Anchor> {
  readonly #heads = new Map<string, Head>()

  get(thread: string): Head | undefined {
    return this.#heads.get(thread)
  }

  set(thread: string, head: Head): void {
    this.#heads.delete(thread)
    this.#heads.set(thread, head)
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= HEADS_CACHED_MAX) break
      this.#heads.delete(oldest)
    }
  }
}
