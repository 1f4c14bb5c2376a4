import type { Domain } from '../domain/index.ts'
import { freezeDeep, isJson } from '../json/index.ts'
import { recordAt } from '../log/index.ts'
import type { EventLog, SnapshotKey, Snapshots, StoredSnapshot } from '../log/index.ts'
import type { Snapshot } from './snapshot.ts'

/** A thread is kept each time that it has become this much longer. */
export const SNAPSHOT_RECORDS = 1_000
/** The longest text of a thread that is kept; longer ones are folded from their beginning. */
export const SNAPSHOT_CHARS_MAX = 33_554_432

/**
 * The version of what a thread is folded into beside its domain's state: raised with every change of
 * these folds, so that no process goes on from the fold of an older build.
 */
export const FOLDS_VERSION = 18

export interface SnapshotUse {
  readonly store: Snapshots
  /**
   * Names the domain's reducers as they are: to be changed with every change of one, or threads go on
   * from what the old ones made of them.
   */
  readonly version: string
}

/** The folded threads of one domain, kept beside its log and never trusted without it. */
export class KeptSnapshots<State> {
  readonly #log: EventLog
  readonly #store: Snapshots
  readonly #key: SnapshotKey

  constructor(log: EventLog, domain: Domain<State>, { store, version }: SnapshotUse) {
    this.#log = log
    this.#store = store
    this.#key = { name: domain.name, version: `${FOLDS_VERSION}:${version}` }
  }

  /** The thread as it was kept last, up to `upTo`; nothing when no fold of this very history is there. */
  async restore(thread: string, upTo: number): Promise<Snapshot<State> | undefined> {
    for await (const stored of this.newestFirst(thread, upTo)) {
      // A snapshot with another hash is of a history that the log does not have (any more).
      if (stored.hash === (await recordAt(this.#log, thread, stored.seq))?.hash) {
        // The store has given what `keep` put there; who keeps it answers for damage to it.
        const snapshot = JSON.parse(stored.body) as Snapshot<State>
        freezeDeep(snapshot.state)
        return snapshot
      }
    }
    return undefined
  }

  /** The snapshots of a thread up to `upTo`, also of histories that the log does not have. */
  async *newestFirst(thread: string, upTo: number): AsyncGenerator<StoredSnapshot, undefined> {
    for (let newest = upTo; newest >= 0;) {
      const stored = await this.#store.latest(thread, { ...this.#key, upTo: newest })
      if (!stored) return
      yield stored
      newest = stored.seq - 1
    }
  }

  /** Whether a thread has passed another {@link SNAPSHOT_RECORDS} since `before`. */
  isDue(before: Snapshot<State>, after: Snapshot<State>): boolean {
    return partOf(before) !== partOf(after)
  }

  async keep(thread: string, snapshot: Snapshot<State>): Promise<void> {
    const body = JSON.stringify(snapshot)
    // A state may hold what JSON does not carry: then it must be folded anew each time.
    if (body.length > SNAPSHOT_CHARS_MAX || !isJson(snapshot.state)) return
    const { seq, hash } = snapshot
    await this.#store.put(thread, this.#key, { seq, hash, body })
  }
}

function partOf({ seq }: { readonly seq: number }): number {
  return Math.floor((seq + 1) / SNAPSHOT_RECORDS)
}
