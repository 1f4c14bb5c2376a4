import { mayPass } from '../log/index.ts'

/** The pause before the second try of what must be recorded; it doubles with each try. */
const RECORD_RETRY_MIN_MS = 50
const RECORD_RETRY_MAX_MS = 1_000

/** Tries again, while the store fails in a way that may pass, until it succeeds or the retries are ended. */
export class Retries {
  /** Functions that end the pauses under way. */
  readonly #pauses = new Set<() => void>()
  #hasEnded = false

  /** Pieces of work that have failed and wait for their next try. */
  get waiting(): number {
    return this.#pauses.size
  }

  /** `onFault` learns of the first failure alone. */
  async run<Result>(
    work: () => Promise<Result>,
    onFault?: (error: unknown) => void,
  ): Promise<Result> {
    for (
      let pauseMs = RECORD_RETRY_MIN_MS;
      ;
      pauseMs = Math.min(2 * pauseMs, RECORD_RETRY_MAX_MS)
    ) {
      try {
        return await work()
      } catch (error) {
        if (this.#hasEnded || !mayPass(error)) throw error
        if (pauseMs === RECORD_RETRY_MIN_MS) onFault?.(error)
        await this.#pause(pauseMs)
      }
    }
  }

  /** Lets the work that waits try once more; a failure is final from now on. */
  end(): void {
    this.#hasEnded = true
    for (const end of this.#pauses) end()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#pauses.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#pauses.add(end)
    })
  }
}
