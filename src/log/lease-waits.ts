import { LogError } from './log-error.ts'

/** Waits for leases of one log at once. */
export const LEASE_WAITS_MAX = 20_000

type Wait = PromiseWithResolvers<void>

/** The waits of one process for leases to be freed. */
export class LeaseWaits {
  readonly #waits = new Map<string, Set<Wait>>()
  #count = 0

  /**
   * Resolves when the name is woken. Rejects with the signal's reason when the signal aborts.
   *
   * @throws {@link LogError} `busy`, `closed`
   */
  async wait(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#count >= LEASE_WAITS_MAX) {
      const state = `${LEASE_WAITS_MAX} wait; try again later`
      throw new LogError('busy', `Cannot wait for the lease of "${name}": ${state}`)
    }
    const wait: Wait = Promise.withResolvers()
    const abort = () => wait.reject(signal.reason)
    signal.addEventListener('abort', abort)
    this.#enter(name, wait)
    try {
      await wait.promise
    } finally {
      signal.removeEventListener('abort', abort)
      this.#leave(name, wait)
    }
  }

  /** The names that have waiters. */
  names(): readonly string[] {
    return [...this.#waits.keys()]
  }

  wake(name: string): void {
    for (const wait of this.#waits.get(name) ?? []) wait.resolve()
  }

  /** Rejects all waits. */
  close(): void {
    for (const [name, waits] of this.#waits) {
      const closed = `Cannot wait for the lease of "${name}": the log is closed`
      for (const wait of waits) wait.reject(new LogError('closed', closed))
    }
  }

  #enter(name: string, wait: Wait): void {
    const waits = this.#waits.get(name) ?? new Set()
    this.#waits.set(name, waits.add(wait))
    this.#count++
  }

  #leave(name: string, wait: Wait): void {
    const waits = this.#waits.get(name)
    waits?.delete(wait)
    this.#count--
    if (waits?.size === 0) this.#waits.delete(name)
  }
}
