import { setTimeout } from 'node:timers/promises'
import { LogError } from '../../log/index.ts'
import type { EventLog, LogRecord, NewEvent } from '../../log/index.ts'
import { counted } from '../sqlite-folder.fixture.ts'

/** Appends one event after the other until it is stopped, and tries again what was not acknowledged. */
export class SteadyWriter {
  readonly acknowledged: LogRecord[] = []
  readonly refusals: string[] = []
  readonly #log: EventLog
  readonly #thread: string
  readonly #written: Promise<void>
  #isStopped = false

  constructor(log: EventLog, thread: string) {
    this.#log = log
    this.#thread = thread
    this.#written = this.#write()
  }

  /** Resolves when so many more have been acknowledged. */
  async acknowledges(more: number): Promise<void> {
    const enough = this.acknowledged.length + more
    while (this.acknowledged.length < enough) await setTimeout(5)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#written
  }

  async #write(): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      this.acknowledged.push(...(await this.#appendUntilStored({ ...counted(n, n + 1)[0], n })))
    }
  }

  async #appendUntilStored({ n }: { readonly n: number }): Promise<readonly LogRecord[]> {
    const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
    const event: NewEvent = { id, type: 'counted', data: { n } }
    for (;;) {
      try {
        return await this.#log.append(this.#thread, [event])
      } catch (error) {
        if (!(error instanceof LogError)) throw error
        this.refusals.push(error.code)
        await setTimeout(20)
      }
    }
  }
}
