import { assert } from '../assert/index.ts'
import { evolveUnfrozen } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { freezeDeep } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { KeptSnapshots } from './kept-snapshots.ts'
import type { SnapshotUse } from './kept-snapshots.ts'
import { NewestMap } from './newest-map.ts'
import { Pace } from './pace.ts'
import { emptySnapshot, foldSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { foldsAt, isTextOf } from './verify-fold.ts'

/** Threads whose folded state is kept in memory; the least recently used go first. */
export const THREADS_CACHED_MAX = 500

export interface ThreadCacheParts<State> {
  readonly log: EventLog
  readonly domain: Domain<State>
  /** The store of snapshots, from which long threads load quickly. */
  readonly snapshots?: SnapshotUse
}

/**
 * The folded threads of one log and one domain. It reads the log and never appends.
 *
 * The caller runs `fresh` and `absorb` of one thread one after the other. `latest` and `stateAt` may
 * run at any time.
 */
export class ThreadCache<State> {
  readonly #log: EventLog
  readonly #domain: Domain<State>
  readonly #snapshots = new NewestMap<Snapshot<State>>(THREADS_CACHED_MAX)
  readonly #kept: KeptSnapshots<State> | undefined

  constructor({ log, domain, snapshots }: ThreadCacheParts<State>) {
    this.#log = log
    this.#domain = domain
    this.#kept = snapshots && new KeptSnapshots({ ...snapshots, log, domain })
  }

  /** The thread as this cache folded it last; records that were not absorbed may be missing. */
  latest(thread: string): Snapshot<State> | undefined {
    return this.#snapshots.get(thread)
  }

  /** The thread folded up to its head. */
  async fresh(thread: string): Promise<Snapshot<State>> {
    const head = await this.#log.head(thread)
    const before = this.#snapshots.get(thread) ?? (await this.#restored(thread, head))
    let snapshot = before
    if (head > snapshot.seq) {
      const pace = new Pace()
      for await (const records of this.#log.read(thread, { after: snapshot.seq })) {
        snapshot = foldSnapshot(this.#domain, snapshot, records)
        await pace.rest()
      }
    }
    return this.#keep(thread, before, snapshot)
  }

  /**
   * Folds records that the log has just given for an append. Records that are folded already are
   * skipped. Where other writers' records lie in between, or one record is given twice, the thread is
   * read up to its head.
   */
  absorb(
    thread: string,
    records: readonly LogRecord[],
  ): Snapshot<State> | Promise<Snapshot<State>> {
    const snapshot = this.#snapshots.get(thread) ?? emptySnapshot(this.#domain)
    const fresh = records.filter(({ seq }) => seq > snapshot.seq)
    const follows = fresh.every(({ seq }, index) => seq === snapshot.seq + 1 + index)
    if (!follows) return this.fresh(thread)
    return this.#keep(thread, snapshot, foldSnapshot(this.#domain, snapshot, fresh))
  }

  /**
   * The state as it was at `at`.
   *
   * @throws {@link LogError} `too_large` when more than `eventsMax` records would have to be folded
   */
  async stateAt(
    thread: string,
    at: number,
    eventsMax: number,
  ): Promise<{ seq: number; state: State }> {
    const cached = this.#snapshots.get(thread)
    let { seq, state } = cached?.seq === at ? cached : await this.#restored(thread, at)
    if (seq === at) return { seq, state }
    if (at - seq > eventsMax) throw tooManyEvents({ thread, at, after: seq, eventsMax })
    const pace = new Pace()
    for await (const batch of this.#log.read(thread, { after: seq, limit: at - seq })) {
      for (const record of batch) {
        assert(record.seq === ++seq, `Cannot replay: expected seq ${seq}, got ${record.seq}`)
        state = evolveUnfrozen(this.#domain, state, record)
        if (pace.isDue) await pace.rest()
      }
    }
    return { seq, state: freezeDeep(state) }
  }

  /**
   * Folds the thread anew from its first record, and replaces its kept fold as soon as it differs.
   * Returns whether all that is kept, and `held`, is what the records give.
   */
  async verifyFold(thread: string, held: Snapshot<State>): Promise<boolean> {
    const kept = (await this.#kept?.all(thread, held.seq)) ?? []
    const parts = { log: this.#log, domain: this.#domain }
    let isSame = true
    for await (const folded of foldsAt(parts, thread, [...kept.map(({ seq }) => seq), held.seq])) {
      // A snapshot of another history is never restored.
      const stored = kept.find(({ seq, hash }) => seq === folded.seq && hash === folded.hash)
      if (stored && !isTextOf(stored.body, folded)) isSame = false
      if (stored && !isSame) await this.#kept?.keep(thread, folded)
      if (folded.seq === held.seq && !isTextOf(JSON.stringify(held), folded)) isSame = false
    }
    return isSame
  }

  /** Drops the cached fold of a thread. */
  forget(thread: string): void {
    this.#snapshots.delete(thread)
  }

  async #restored(thread: string, upTo: number): Promise<Snapshot<State>> {
    return (await this.#kept?.restore(thread, upTo)) ?? emptySnapshot(this.#domain)
  }

  #keep(
    thread: string,
    before: Snapshot<State>,
    snapshot: Snapshot<State>,
  ): Snapshot<State> | Promise<Snapshot<State>> {
    if (snapshot.seq < 0) return snapshot
    this.#snapshots.set(thread, snapshot)
    if (!this.#kept?.isDue(before, snapshot)) return snapshot
    return this.#kept.keep(thread, snapshot).then(() => snapshot)
  }
}

function tooManyEvents(asked: {
  readonly thread: string
  readonly at: number
  readonly after: number
  readonly eventsMax: number
}): LogError {
  const { thread, at, after, eventsMax } = asked
  const message = `Cannot fold "${thread}" up to ${at}: ${at - after} records are to be folded, ${eventsMax} may be`
  return new LogError('too_large', message)
}
