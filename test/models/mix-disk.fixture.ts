import { LogError } from '../../src/log/index.ts'
import type { EventLog, LogRecord, NewEvent } from 'throughline/log'
import { logWith } from '../../src/log/log-with.fixture.ts'
import { restarted } from '../../src/log/restarted-log.fixture.ts'

/** The log of one engine, which can die at an append or refuse some appends. */
export class MixDisk {
  readonly log: EventLog
  #dead = false
  #left = Number.POSITIVE_INFINITY
  #last: 'stored' | 'lost' = 'lost'
  #full = 0
  #inFlight: Promise<unknown> = Promise.resolve()

  constructor(log: EventLog) {
    const stored = restarted(log)
    this.log = logWith(stored, {
      append: (thread, events, options) =>
        this.#append(events, () => this.#kept(stored.append(thread, events, options))),
    })
  }

  get dead(): boolean {
    return this.#dead
  }

  /** The process dies at an append: the log stores that append without an answer, or loses it. */
  dieAfter(appends: number, last: 'stored' | 'lost'): void {
    ;[this.#left, this.#last] = [appends, last]
  }

  die(): void {
    this.#dead = true
  }

  /** Resolves once no append is under way: the next process finds what this one wrote. */
  async quiet(): Promise<void> {
    await this.#inFlight
  }

  /** The disk is full for as many appends. */
  fill(appends: number): void {
    this.#full = appends
  }

  mend(): void {
    this.#full = 0
  }

  #kept<Result>(append: Promise<Result>): Promise<Result> {
    this.#inFlight = Promise.allSettled([this.#inFlight, append])
    return append
  }

  async #append(
    events: readonly NewEvent[],
    append: () => Promise<readonly LogRecord[]>,
  ): Promise<readonly LogRecord[]> {
    if (this.#dead) throw dead()
    if (events.length > 0 && this.#full > 0) {
      this.#full--
      throw new LogError('storage_full', 'Cannot append: no space is left')
    }
    if (this.#left-- > 0) return append()
    this.#dead = true
    if (this.#last === 'stored') await append()
    throw dead()
  }
}

function dead(): LogError {
  return new LogError('closed', 'Cannot append: the process has died')
}
