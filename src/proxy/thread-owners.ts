import type { LogRecord } from '../log/index.ts'

/** Threads whose owner is kept in memory, and names of threads that nobody has begun. */
export const PROXY_OWNERS_MAX = 10_000

/** Knows whose a thread is: who began it, and before that whoever names it first. */
export class ThreadOwners {
  readonly #first: (thread: string) => Promise<LogRecord | undefined>
  /** By the first record of each thread. */
  readonly #owners = new Map<string, string>()
  /** Another proxy on the same store may let somebody else begin one of these. */
  readonly #named = new Map<string, string>()

  constructor(first: (thread: string) => Promise<LogRecord | undefined>) {
    this.#first = first
  }

  async isOwner(thread: string, actor: string): Promise<boolean> {
    const known = this.#owners.get(thread)
    if (known !== undefined) return known === actor
    const first = await this.#first(thread)
    if (first) this.#named.delete(thread)
    const owner = first ? (first.origin.actor ?? '') : (this.#named.get(thread) ?? actor)
    keep(first ? this.#owners : this.#named, thread, owner)
    return owner === actor
  }
}

function keep(owners: Map<string, string>, thread: string, owner: string): void {
  owners.set(thread, owner)
  const [oldest] = owners.keys()
  if (owners.size > PROXY_OWNERS_MAX && oldest !== undefined) owners.delete(oldest)
}
