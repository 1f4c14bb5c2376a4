import { createHmac } from 'node:crypto'
import { shelfNamed, shelvesNamed } from '../log/index.ts'
import type { LogError, Shelves, SnapshotKey, Snapshots, StoredSnapshot } from '../log/index.ts'

/** Kept of each thread: the newest, and one before it for readers of an earlier state. */
export const SNAPSHOTS_KEPT_MAX = 2

export interface ShelvedSnapshotsOptions {
  /** Signs each snapshot; without it each carries a checksum only. */
  readonly key?: string | undefined
  readonly onFault?: ((error: LogError) => void) | undefined
}

interface ThreadFold extends SnapshotKey {
  readonly thread: string
}

const NEWEST_FIRST = { order: 'rank', direction: 'desc' } as const

/**
 * Snapshots on shelves that need not survive a crash. Their bodies are on a shelf of their own, so that the rest can
 * be listed without them. Failures do not reach their users.
 */
export class ShelvedSnapshots implements Snapshots {
  readonly #shelves: Shelves
  readonly #key: string
  readonly #onFault: ((error: LogError) => void) | undefined

  constructor(shelves: Shelves, { key = '', onFault }: ShelvedSnapshotsOptions = {}) {
    this.#shelves = shelves
    this.#key = key
    this.#onFault = onFault
  }

  async latest(
    thread: string,
    { upTo, ...key }: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined> {
    const { seqs, bodies } = shelvesOf(thread, key)
    return this.#unlessFaulty(async () => {
      // The largest whole number that a database takes.
      let rank = Math.min(upTo + 1, Number.MAX_SAFE_INTEGER)
      for (;;) {
        const by = { shelf: seqs, sorts: [key.version] }
        const listing = { by, after: { sort: '', rank }, limit: 1 }
        const [entry] = await this.#shelves.list(bodies, { ...listing, ...NEWEST_FIRST })
        if (!entry) return undefined
        const snapshot = this.#signed(entry, { thread, ...key })
        if (snapshot) return snapshot
        rank = entry.rank
      }
    })
  }

  /** A snapshot of a history that is gone may be newer; so may one that another process has put. Both stay. */
  async put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void> {
    const { seqs, bodies } = shelvesOf(thread, key)
    const { seq, hash, body } = snapshot
    const sum = snapshotSum(this.#key, { thread, ...key }, snapshot)
    const place = { key: String(seq), rank: seq }
    await this.#unlessFaulty(async () => {
      const after = { sort: '', rank: seq }
      const older = await this.#shelves.list(seqs, { by: { shelf: seqs }, after, ...NEWEST_FIRST })
      const gone = older.slice(SNAPSHOTS_KEPT_MAX - 1)
      await this.#shelves.change({
        remove: gone.flatMap(({ key: shelfKey }) =>
          [seqs, bodies].map((shelf) => ({ shelf, key: shelfKey })),
        ),
        put: [
          { ...place, shelf: seqs, sort: key.version, value: '' },
          { ...place, shelf: bodies, sort: '', value: `${hash} ${sum} ${body}` },
        ],
      })
    })
  }

  async forget(thread: string): Promise<void> {
    await this.#unlessFaulty(async () => {
      const remove = ['seqs', 'bodies'].map((what) => ({ shelf: shelvesNamed(what, thread) }))
      await this.#shelves.change({ remove })
      await this.#shelves.scrub?.()
    })
  }

  #signed(
    { rank: seq, value }: { readonly rank: number; readonly value: string },
    fold: ThreadFold,
  ): StoredSnapshot | undefined {
    const [hash = '', sum = ''] = value.split(' ', 2)
    const snapshot = { seq, hash, body: value.slice(hash.length + sum.length + 2) }
    return sum === snapshotSum(this.#key, fold, snapshot) ? snapshot : undefined
  }

  async #unlessFaulty<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      // Shelves fail with nothing else.
      this.#onFault?.(error as LogError)
      return undefined
    }
  }
}

function shelvesOf(thread: string, { name }: SnapshotKey) {
  return { seqs: shelfNamed('seqs', thread, name), bodies: shelfNamed('bodies', thread, name) }
}

function snapshotSum(
  key: string,
  { thread, name, version }: ThreadFold,
  { seq, hash, body }: StoredSnapshot,
): string {
  const said = JSON.stringify([thread, name, version, seq, hash])
  // Half the time of SHA-256 where the processor has no instructions for that.
  return createHmac('sha512-256', key).update(said).update(body).digest('hex')
}
