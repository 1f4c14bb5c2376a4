import { createHmac } from 'node:crypto'
import type { LogError, SnapshotKey, Snapshots, StoredSnapshot } from '../../log/index.ts'
import { textOf, wholeOf } from './rows.ts'
import { SideFile } from './side-file.ts'
import { sqlitePath } from './sqlite-url.ts'

/** Kept of each thread: the newest, and one before it for readers of an earlier state. */
export const SNAPSHOTS_KEPT_MAX = 2

/** The format of the file: another one is begun anew. */
const FORMAT = 1

export interface SnapshotFileOptions {
  /** Signs each entry; without it each entry carries a checksum only. */
  readonly key?: string
  /** Called with each failure; after one that is no damage to the file nothing is kept any more. */
  readonly onFault?: (error: LogError) => void
}

/**
 * Snapshots in an SQLite file of their own, written without waiting for the disk. All of it may be
 * deleted at any time, and its failures do not reach its users.
 */
export class SnapshotFile implements Snapshots {
  readonly #file: SideFile
  readonly #key: string

  constructor(path: string, { key = '', onFault }: SnapshotFileOptions = {}) {
    this.#file = new SideFile({ path, format: FORMAT, tables: TABLE, synchronous: 'OFF', onFault })
    this.#key = key
  }

  async latest(
    thread: string,
    { name, version, upTo }: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined> {
    return this.#file.use('read', (database) => {
      const rows = database.prepare(LATEST).iterate(thread, name, version, upTo)
      return firstSigned(rows, this.#key, { thread, name, version })
    })
  }

  async put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void> {
    const { name, version } = key
    const { seq, hash, body } = snapshot
    this.#file.use('write', (database) => {
      const sum = snapshotSum(this.#key, { thread, ...key }, snapshot)
      database.prepare(PUT).run(thread, name, version, seq, hash, body, sum)
      database.prepare(FORGET).run({ thread, name, version, seq })
    })
  }

  async forget(thread: string): Promise<void> {
    this.#file.use('write', (database) => {
      database.exec('PRAGMA secure_delete = ON')
      database.prepare('DELETE FROM snapshots WHERE thread = ?').run(thread)
      database.exec('PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE)')
    })
  }

  close(): void {
    this.#file.close()
  }
}

interface ThreadFold extends SnapshotKey {
  readonly thread: string
}

/** Returns the first row whose sum is right. */
export function firstSigned(
  rows: Iterable<Readonly<Record<string, unknown>>>,
  key: string,
  fold: ThreadFold,
): StoredSnapshot | undefined {
  for (const { seq, hash, body, sum } of rows) {
    const stored = { seq: wholeOf(seq), hash: textOf(hash), body: textOf(body) }
    if (sum === snapshotSum(key, fold, stored)) return stored
  }
  return undefined
}

export function snapshotSum(
  key: string,
  { thread, name, version }: ThreadFold,
  { seq, hash, body }: StoredSnapshot,
): string {
  const said = JSON.stringify([thread, name, version, seq, hash])
  // Half the time of SHA-256 where the processor has no instructions for that.
  return createHmac('sha512-256', key).update(said).update(body).digest('hex')
}

const TABLE = `CREATE TABLE IF NOT EXISTS snapshots (
  thread TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, seq INTEGER NOT NULL,
  hash TEXT NOT NULL, body TEXT NOT NULL, sum TEXT NOT NULL,
  PRIMARY KEY (thread, name, seq)
) STRICT`

const LATEST = `SELECT seq, hash, body, sum FROM snapshots
  WHERE thread = ? AND name = ? AND version = ? AND seq <= ? ORDER BY seq DESC`

const PUT = `INSERT OR REPLACE INTO snapshots (thread, name, version, seq, hash, body, sum)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

/** A snapshot past the head belongs to a history that is gone. */
const FORGET = `DELETE FROM snapshots WHERE thread = :thread AND name = :name AND (
  version <> :version OR seq > :seq OR seq < (
    SELECT min(seq) FROM (
      SELECT seq FROM snapshots WHERE thread = :thread AND name = :name AND seq <= :seq
      ORDER BY seq DESC LIMIT ${SNAPSHOTS_KEPT_MAX})))`

/** The snapshots beside the log at `sqlite:PATH`; a log in memory has no past to be restored from. */
export function openSnapshots(
  url: string,
  options?: SnapshotFileOptions,
): SnapshotFile | undefined {
  const path = sqlitePath(url)
  return path === undefined ? undefined : new SnapshotFile(`${path}.snapshots`, options)
}
