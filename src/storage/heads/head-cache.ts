import type { Anchor } from '../../log/index.ts'

/** Threads whose head is kept in memory; the one that was added first goes first. */
export const HEADS_CACHED_MAX = 10_000

export class HeadCache<Head extends Anchor> {
  readonly #heads = new Map<string, Head>()

  get(thread: string): Head | undefined {
    return this.#heads.get(thread)
  }

  set(thread: string, head: Head): void {
    this.#heads.set(thread, head)
    if (this.#heads.size <= HEADS_CACHED_MAX) return
    const [oldest = ''] = this.#heads.keys()
    this.#heads.delete(oldest)
  }
}
