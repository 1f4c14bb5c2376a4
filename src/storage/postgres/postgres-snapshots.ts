import type { LogError, SnapshotKey, Snapshots, StoredSnapshot } from '../../log/index.ts'
import { textOf, wholeOf } from '../sqlite/rows.ts'
import { SNAPSHOTS_KEPT_MAX, snapshotSum } from '../sqlite/snapshots.ts'
import type { Row, Statement } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { postgresError } from './postgres-error.ts'

export interface PostgresSnapshotsParts {
  readonly pool: ConnectionPool
  /** Signs the snapshots; without it each entry carries a checksum only. */
  readonly key?: string
  readonly onFault: (error: LogError) => void
}

/** Snapshots in an unlogged table, which a crash of the database empties. */
export class PostgresSnapshots implements Snapshots {
  readonly #parts: PostgresSnapshotsParts

  constructor(parts: PostgresSnapshotsParts) {
    this.#parts = parts
  }

  async latest(
    thread: string,
    { name, version, upTo }: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined> {
    // The largest whole number that the column takes.
    const last = Math.min(upTo, Number.MAX_SAFE_INTEGER)
    const rows = (await this.#try('read', LATEST, [thread, name, version, last])) ?? []
    for (const row of rows) {
      const { seq, hash, body, sum } = row
      const stored = { seq: wholeOf(seq), hash: textOf(hash), body: textOf(body) }
      if (sum === this.#sum(thread, { name, version }, stored)) return stored
    }
    return undefined
  }

  async put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void> {
    const { seq, hash, body } = snapshot
    const sum = this.#sum(thread, key, snapshot)
    await this.#try('write', PUT, [thread, key.name, key.version, seq, hash, body, sum])
    await this.#try('write', FORGET, [thread, key.name, key.version, seq])
  }

  #sum(thread: string, key: SnapshotKey, stored: StoredSnapshot): string {
    return snapshotSum(this.#parts.key ?? '', thread, { ...key, ...stored })
  }

  async #try(
    action: string,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[] | undefined> {
    const { pool, onFault } = this.#parts
    try {
      return await pool.query(statement, values)
    } catch (error) {
      onFault(postgresError(`${action} a snapshot`, error))
      return undefined
    }
  }
}

const LATEST: Statement = {
  name: 'latest_snapshot',
  text: `SELECT seq, hash, body, sum FROM throughline.snapshots
    WHERE thread = $1 AND name = $2 AND version = $3 AND seq <= $4 ORDER BY seq DESC`,
}
const PUT: Statement = {
  name: 'put_snapshot',
  text: `INSERT INTO throughline.snapshots (thread, name, version, seq, hash, body, sum)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (thread, name, seq) DO UPDATE SET version = excluded.version,
      hash = excluded.hash, body = excluded.body, sum = excluded.sum`,
}
/** Another process may have put a newer one meanwhile; one of a history that is gone is not used. */
const FORGET: Statement = {
  name: 'forget_snapshots',
  text: `DELETE FROM throughline.snapshots WHERE thread = $1 AND name = $2 AND (
    (version <> $3 AND seq <= $4) OR seq < (
      SELECT min(seq) FROM (
        SELECT seq FROM throughline.snapshots
        WHERE thread = $1 AND name = $2 AND seq <= $4 ORDER BY seq DESC LIMIT ${SNAPSHOTS_KEPT_MAX}
      ) AS kept))`,
}
