/** Runs one piece of work at a time in each thread, in the order in which it came. */
export class ThreadQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs the work at once when the thread is free, and else after the work before it, failed or not. */
  run<Result>(thread: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(thread)
    const done = before ? before.then(work, work) : work()
    this.#last.set(thread, done)
    const forget = (): void => {
      if (this.#last.get(thread) === done) this.#last.delete(thread)
    }
    done.then(forget, forget)
    return done
  }

  /** Resolves when the work that waits or runs has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#last.values())
  }
}
