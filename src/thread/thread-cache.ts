import { assert } from '../assert/index.ts'
import { evolveUnfrozen } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { equalJson, freezeDeep } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog, LogRecord, StoredSnapshot } from '../log/index.ts'
import type { AppendObservers } from './append-observers.ts'
import { KeptSnapshots } from './kept-snapshots.ts'
import type { SnapshotUse } from './kept-snapshots.ts'
import { NewestMap } from './newest-map.ts'
import { Pace } from './pace.ts'
import { emptySnapshot, foldSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'

/** Threads whose folded state is kept in memory; the least recently used go first. */
export const THREADS_CACHED_MAX = 500

export interface ThreadCacheParts<State> {
  readonly log: EventLog
  readonly domain: Domain<State>
  /** The store of snapshots, from which long threads load quickly. */
  readonly snapshots?: SnapshotUse
  readonly appends?: AppendObservers
}

/**
 * The folded threads of one log and one domain. It reads the log and never appends.
 *
 * The caller runs `fresh` and `absorb` of one thread one after the other. `latest` and `stateAt` may
 * run at any time.
 */
export class ThreadCache<State> {
  readonly #log: EventLog
  readonly #appends: AppendObservers | undefined
  readonly #domain: Domain<State>
  readonly #snapshots = new NewestMap<Snapshot<State>>(THREADS_CACHED_MAX)
  readonly #kept: KeptSnapshots<State> | undefined
  readonly #empty: Snapshot<State>

  constructor({ log, domain, snapshots, appends }: ThreadCacheParts<State>) {
    this.#log = log
    this.#appends = appends
    this.#domain = domain
    this.#empty = emptySnapshot(domain)
    this.#kept = snapshots && new KeptSnapshots(log, domain, snapshots)
  }

  /** The thread as this cache folded it last; records that were not absorbed may be missing. */
  latest(thread: string): Snapshot<State> | undefined {
    return this.#snapshots.get(thread)
  }

  /** The thread folded up to its head. */
  async fresh(thread: string): Promise<Snapshot<State>> {
    const head = await this.#log.head(thread)
    const known = this.#snapshots.get(thread)
    const before = known ?? (this.#kept ? await this.#restored(thread, head) : this.#empty)
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
    const snapshot = this.#snapshots.get(thread) ?? this.#empty
    const isNext = records[0]?.seq === snapshot.seq + 1
    const fresh = isNext ? records : records.filter(({ seq }) => seq > snapshot.seq)
    this.#appends?.appended?.(fresh)
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
    if (at - seq > eventsMax) {
      const counts = `${at - seq} records are to be folded, ${eventsMax} may be`
      throw new LogError('too_large', `Cannot fold "${thread}" up to ${at}: ${counts}`)
    }
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
    const kept: StoredSnapshot[] = []
    for await (const each of this.#kept?.newestFirst(thread, held.seq) ?? []) kept.unshift(each)
    const pace = new Pace()
    let folded = emptySnapshot(this.#domain)
    let isSame = true
    for (const stored of kept) {
      folded = await this.#foldUpTo(stored.seq, { thread, folded, pace })
      // A snapshot of another history is never restored.
      if (stored.hash !== folded.hash) continue
      if (!isTextOf(stored.body, folded)) isSame = false
      if (!isSame) await this.#kept?.keep(thread, folded)
    }
    folded = await this.#foldUpTo(held.seq, { thread, folded, pace })
    return isSame && isTextOf(JSON.stringify(held), folded)
  }

  /** Drops the cached fold of a thread. */
  forget(thread: string): void {
    this.#snapshots.delete(thread)
  }

  async #foldUpTo(
    seq: number,
    from: { readonly thread: string; readonly folded: Snapshot<State>; readonly pace: Pace },
  ): Promise<Snapshot<State>> {
    let { folded } = from
    const next = { after: folded.seq, limit: seq - folded.seq }
    if (next.limit === 0) return folded
    for await (const records of this.#log.read(from.thread, next)) {
      folded = foldSnapshot(this.#domain, folded, records)
      await from.pace.rest()
    }
    return folded
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

/** Whether the text of a snapshot says what a fold from the first record gives; members may be in any order. */
function isTextOf<State>(body: string, folded: Snapshot<State>): boolean {
  const text = JSON.stringify(folded)
  // Both are texts of snapshots, which JSON carries as far as they are kept.
  return text === body || equalJson(JSON.parse(text) as Json, JSON.parse(body) as Json)
}
