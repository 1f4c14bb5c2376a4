import { startOf } from '../../json/index.ts'
import { textOf } from '../sql/rows.ts'
import { statements } from './connection.ts'
import type { Row } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'

/** Characters of a query that a warning repeats. */
const QUERY_CHARS_MAX = 200

/** The transactions that were under way at one time. */
export interface OpenTransactions {
  /** The ids of those that cannot append to this log: they are of other databases, or use none of its tables. */
  readonly foreign: readonly string[]
  /** The oldest of the others; undefined where there is none. */
  readonly blocker: Blocker | undefined
}

export interface Blocker {
  readonly id: string
  /** Who holds it open, for how long, and with which query. */
  readonly shown: string
}

/**
 * Looks which transactions are under way. An appending one locks a table of the log before it gets its id,
 * and keeps the lock until it is over. While it ends it has no lock for a moment, but is then no longer
 * under way for a later snapshot: so a foreign one counts only where a later snapshot still holds it.
 */
export async function openTransactions(pool: ConnectionPool): Promise<OpenTransactions> {
  const rows = await pool.query(SQL.open_transactions)
  const foreign = rows.filter((row) => row['is_foreign'] === true)
  const blocker = rows.find((row) => row['is_foreign'] !== true)
  return {
    foreign: foreign.map((row) => textOf(row['xid'])),
    blocker: blocker && { id: textOf(blocker['xid']), shown: inWords(blocker) },
  }
}

function inWords(row: Row): string {
  const { pid, age, query } = row
  if (pid === null) return 'a prepared transaction'
  const said =
    typeof query === 'string' && query !== '' ? `: ${startOf(query, QUERY_CHARS_MAX)}` : ''
  return `the transaction of process ${textOf(pid)}, open for ${textOf(age)} s${said}`
}

const SQL = statements({
  open_transactions: `WITH locks AS MATERIALIZED (
      SELECT locktype, database, relation, transactionid, pid, mode FROM pg_locks WHERE granted
    ), own AS (SELECT oid FROM pg_database WHERE datname = current_database())
    SELECT x.xid, l.pid::text, a.query, extract(epoch FROM now() - a.xact_start)::bigint::text AS age,
      a.pid IS NOT NULL AND (a.datid <> own.oid OR NOT EXISTS (
        SELECT FROM locks r JOIN pg_class c ON c.oid = r.relation
        WHERE r.pid = l.pid AND r.locktype = 'relation' AND r.database = own.oid
          AND c.relnamespace = 'throughline'::regnamespace
      )) AS is_foreign
    FROM own, pg_snapshot_xip(pg_current_snapshot()) AS x(xid)
    LEFT JOIN locks l ON l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock'
      AND l.transactionid = x.xid::xid
    LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    ORDER BY x.xid`,
})
