import { LogError } from '../../log/index.ts'
import type { Leases } from '../../log/index.ts'

export interface RunsElsewhereParts {
  readonly leases: Pick<Leases, 'freed'>
  /** Ends the runs that are open in a thread, if any, under its lease. */
  readonly recover: (thread: string) => Promise<void>
  readonly onFault: (error: unknown, thread: string) => void
}

/** Watches threads in which another process works, and ends their runs if that process dies. */
export class RunsElsewhere {
  readonly #parts: RunsElsewhereParts
  readonly #watched = new Set<string>()
  readonly #stopping = new AbortController()

  constructor(parts: RunsElsewhereParts) {
    this.#parts = parts
  }

  /** Watches a thread until its lease is free; a second call meanwhile does nothing. */
  watch(thread: string): void {
    if (this.#watched.has(thread) || this.#stopping.signal.aborted) return
    this.#watched.add(thread)
    void this.#recoverOnceFree(thread)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #recoverOnceFree(thread: string): Promise<void> {
    const { leases, recover, onFault } = this.#parts
    try {
      await leases.freed(thread, this.#stopping.signal)
      // Recovery may find the lease held again, and then watches anew.
      this.#watched.delete(thread)
      await recover(thread)
    } catch (error) {
      const isClosed = error instanceof LogError && error.code === 'closed'
      if (!this.#stopping.signal.aborted && !isClosed) onFault(error, thread)
    } finally {
      this.#watched.delete(thread)
    }
  }
}
