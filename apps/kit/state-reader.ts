import { ClientError } from 'throughline/client'
import type { Json } from 'throughline/json'

/** Between two readings, so that a burst of records does not become a burst of requests. */
const GAP_MS = 100
const RETRY_MS = 2_000

export interface StateReaderOptions {
  readonly read: () => Promise<Json>
  readonly pause?: (ms: number) => Promise<void>
}

/**
 * Keeps the latest state of a thread: reads it again for every new version that is wanted, one
 * reading at a time, and never misses the last one.
 */
export class StateReader {
  readonly #read: () => Promise<Json>
  readonly #pause: (ms: number) => Promise<void>
  readonly #listeners = new Set<() => void>()
  #state: Json | undefined
  #wanted: string | undefined
  #running = false

  constructor({ read, pause = sleep }: StateReaderOptions) {
    this.#read = read
    this.#pause = pause
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly getSnapshot = (): Json | undefined => this.#state

  want(version: string): void {
    if (version === this.#wanted) return
    this.#wanted = version
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    let served: string | undefined
    while (served !== this.#wanted) {
      const wanted = this.#wanted
      const outcome = await this.#readOnce()
      if (outcome === 'refused') {
        // Wanted again later, as when the server has its case back, it is read again.
        this.#wanted = undefined
        break
      }
      if (outcome === 'read') served = wanted
      if (served !== this.#wanted) await this.#pause(outcome === 'read' ? GAP_MS : RETRY_MS)
    }
    this.#running = false
  }

  async #readOnce(): Promise<'read' | 'failed' | 'refused'> {
    try {
      this.#state = await this.#read()
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      return error.final ? 'refused' : 'failed'
    }
    for (const notify of this.#listeners) notify()
    return 'read'
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
