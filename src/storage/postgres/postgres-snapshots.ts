import type { LogError, SnapshotKey, Snapshots, StoredSnapshot } from '../../log/index.ts'
import { SNAPSHOTS_KEPT_MAX, firstSigned, snapshotSum } from '../sqlite/snapshots.ts'
import { statements } from './connection.ts'
import type { Row, Statement } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { postgresError } from './postgres-error.ts'

/** Snapshots in an unlogged table, which a crash of the database empties. */
export class PostgresSnapshots implements Snapshots {
  readonly #pool: ConnectionPool
  readonly #onFault: (error: LogError) => void
  readonly #key: string

  /** The key signs the snapshots; without one each entry carries a checksum only. */
  constructor(pool: ConnectionPool, onFault: (error: LogError) => void, key = '') {
    this.#pool = pool
    this.#onFault = onFault
    this.#key = key
  }

  async latest(
    thread: string,
    { name, version, upTo }: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined> {
    // The largest whole number that the column takes.
    const last = Math.min(upTo, Number.MAX_SAFE_INTEGER)
    const rows = await this.#try('read', SQL.latest_snapshot, [thread, name, version, last])
    return firstSigned(rows, this.#key, { thread, name, version })
  }

  async put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void> {
    const { seq, hash, body } = snapshot
    const sum = snapshotSum(this.#key, { thread, ...key }, snapshot)
    await this.#try('write', SQL.put_snapshot, [
      thread,
      key.name,
      key.version,
      seq,
      hash,
      body,
      sum,
    ])
    await this.#try('write', SQL.forget_snapshots, [thread, key.name, key.version, seq])
  }

  async forget(thread: string): Promise<void> {
    await this.#try('remove', SQL.remove_snapshots, [thread])
  }

  async #try(
    action: string,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    try {
      return await this.#pool.query(statement, values)
    } catch (error) {
      this.#onFault(postgresError(`${action} a snapshot`, error))
      return []
    }
  }
}

const SQL = statements({
  remove_snapshots: 'DELETE FROM throughline.snapshots WHERE thread = $1',
  latest_snapshot: `SELECT seq, hash, body, sum FROM throughline.snapshots
    WHERE thread = $1 AND name = $2 AND version = $3 AND seq <= $4 ORDER BY seq DESC`,
  put_snapshot: `INSERT INTO throughline.snapshots (thread, name, version, seq, hash, body, sum)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (thread, name, seq) DO UPDATE SET version = excluded.version,
      hash = excluded.hash, body = excluded.body, sum = excluded.sum`,
  /** Another process may have put a newer one meanwhile; one of a history that is gone is not used. */
  forget_snapshots: `DELETE FROM throughline.snapshots WHERE thread = $1 AND name = $2 AND (
    (version <> $3 AND seq <= $4) OR seq < (
      SELECT min(seq) FROM (
        SELECT seq FROM throughline.snapshots
        WHERE thread = $1 AND name = $2 AND seq <= $4 ORDER BY seq DESC LIMIT ${SNAPSHOTS_KEPT_MAX}
      ) AS kept))`,
})
