import type { Domain, EventLog } from 'throughline'
import { NewestMap } from 'throughline/server/extend'
import type { BrokerState } from '../case/index.ts'
import { emptyOutbox, foldOutbox } from './outbox.ts'
import type { DeadLetter, Outbox } from './outbox.ts'

/** Cases whose folded outbox is kept in memory. */
const OUTBOXES_CACHED_MAX = 500
/** Cases whose dead letters are kept: about 100 bytes for each that has none. */
const CASES_KNOWN_MAX = 100_000

export interface OutboxParts {
  readonly log: EventLog
  readonly domain: Domain<BrokerState>
}

/** The outboxes of all cases, folded from the log as far as it goes whenever one is asked for. */
export class Outboxes {
  readonly #parts: OutboxParts
  readonly #folded = new NewestMap<Outbox>(OUTBOXES_CACHED_MAX)
  readonly #known = new NewestMap<Pick<Outbox, 'seq' | 'dead'>>(CASES_KNOWN_MAX)

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  async read(thread: string): Promise<Outbox> {
    const { log, domain } = this.#parts
    let outbox = this.#folded.get(thread) ?? emptyOutbox(domain)
    for await (const records of log.read(thread, { after: outbox.seq })) {
      for (const record of records) outbox = foldOutbox(domain, outbox, record)
    }
    const { seq, dead } = outbox
    this.#folded.set(thread, outbox)
    this.#known.set(thread, { seq, dead })
    return outbox
  }

  /** Whether a case was looked at before. */
  isKnown(thread: string): boolean {
    return this.#known.has(thread)
  }

  /** The dead letters of a case, without another fold when nothing was appended since. */
  async dead(thread: string): Promise<readonly DeadLetter[]> {
    const known = this.#known.get(thread)
    if (known && known.seq === (await this.#parts.log.head(thread))) return known.dead
    return (await this.read(thread)).dead
  }
}
