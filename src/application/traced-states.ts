import { evolveOthers, initialOthers } from '../domain/index.ts'
import type { Domain, OtherStates } from '../domain/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import { NewestMap, Pace } from '../thread/index.ts'

/** Threads whose other states are kept in memory; the least recently used go first. */
export const TRACED_THREADS_MAX = 100

interface Traced<State> {
  readonly seq: number
  readonly others: OtherStates<State>
}

/** Folds the other states of a domain's threads, by which personal data is traced. */
export class TracedStates<State> {
  readonly #log: EventLog
  readonly #domain: Domain<State>
  readonly #kept = new NewestMap<Traced<State>>(TRACED_THREADS_MAX)

  constructor(log: EventLog, domain: Domain<State>) {
    this.#log = log
    this.#domain = domain
  }

  /**
   * The other states after the record at `seq`.
   *
   * @throws {@link LogError} `too_large` when more than `eventsMax` records would have to be folded
   */
  async at(thread: string, seq: number, eventsMax: number): Promise<OtherStates<State>> {
    const kept = this.#kept.get(thread)
    const from = kept && kept.seq <= seq ? kept : this.#initial
    const count = seq - from.seq
    if (count === 0) return from.others
    if (count > eventsMax) {
      const mend = 'declare `personal` of the domain, or read in a role that is not redacted'
      const counts = `${count} records are to be folded, ${eventsMax} may be`
      throw new LogError('too_large', `Cannot trace "${thread}" up to ${seq}: ${counts}; ${mend}`)
    }
    const others = await this.#fold(thread, from, count)
    // Another read may have come further meanwhile.
    const newest = this.#kept.get(thread)
    if (!newest || newest.seq < seq) this.#kept.set(thread, { seq, others })
    return others
  }

  /** Drops what is kept of a thread. */
  forget(thread: string): void {
    this.#kept.delete(thread)
  }

  async #fold(
    thread: string,
    { seq: after, others }: Traced<State>,
    limit: number,
  ): Promise<OtherStates<State>> {
    const pace = new Pace()
    for await (const records of this.#log.read(thread, { after, limit })) {
      for (const record of records) {
        others = evolveOthers(this.#domain, others, record)
        if (pace.isDue) await pace.rest()
      }
    }
    return others
  }

  get #initial(): Traced<State> {
    return { seq: -1, others: initialOthers(this.#domain) }
  }
}
