/** Threads that wait for their job in one process. */
export const JOBS_WAITING_MAX = 100_000

/** `time`: a timer ended. `wake`: a caller asked, so effects without a retry time are tried too. */
export type JobReason = 'time' | 'wake'

export interface ThreadJobsParts {
  /** Threads whose jobs run side by side. */
  readonly max: number
  readonly run: (thread: string, reason: JobReason) => Promise<void>
  readonly onFault: (error: unknown, thread: string) => void
}

/** Runs one background job at a time in each thread; a start meanwhile runs the job again after it. */
export class ThreadJobs {
  readonly #parts: ThreadJobsParts
  readonly #waiting = new Map<string, JobReason>()
  readonly #running = new Map<string, Promise<void>>()
  #stopped = false

  constructor(parts: ThreadJobsParts) {
    this.#parts = parts
  }

  start(thread: string, reason: JobReason): void {
    if (this.#stopped) return
    const waits = this.#waiting.get(thread)
    if (!waits && this.#waiting.size >= JOBS_WAITING_MAX) {
      const why = `${JOBS_WAITING_MAX} threads wait for theirs`
      this.#parts.onFault(new Error(`Cannot start due work: ${why}; start it later`), thread)
      return
    }
    if (waits !== 'wake') this.#waiting.set(thread, reason)
    this.#next()
  }

  stop(): void {
    this.#stopped = true
    this.#waiting.clear()
  }

  /** Threads whose job runs or waits. */
  get size(): number {
    return this.#running.size + this.#waiting.size
  }

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  #next(): void {
    for (const [thread, reason] of this.#waiting) {
      if (this.#running.size >= this.#parts.max) return
      if (this.#running.has(thread)) continue
      this.#waiting.delete(thread)
      this.#running.set(thread, this.#run(thread, reason))
    }
  }

  async #run(thread: string, reason: JobReason): Promise<void> {
    try {
      // After the caller's own work: it has just been asked for.
      await Promise.resolve()
      await this.#parts.run(thread, reason)
    } catch (error) {
      this.#parts.onFault(error, thread)
    } finally {
      this.#running.delete(thread)
      this.#next()
    }
  }
}
