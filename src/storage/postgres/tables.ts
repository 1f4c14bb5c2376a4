import { thrownMessage } from '../../json/index.ts'
import { LogError, GENESIS } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { statements } from './connection.ts'
import type { Connection, Row } from './connection.ts'
import { isForbidden } from './postgres-error.ts'

/** Of the tables; a log of another format is refused. */
const FORMAT = '1'

/** Held while the tables are made: processes that start together make them once. */
const MAKING_LOCK = 8_317_040_662_211

/**
 * Records hold what is hashed; a thread's row holds its head, which every append compares and moves.
 * `moves` has a row for each thread and transaction, in an order that skips nothing: see the feed.
 */
const TABLES = `
  CREATE TABLE throughline.meta (key text PRIMARY KEY, value text NOT NULL);
  CREATE SEQUENCE throughline.thread_numbers;
  CREATE TABLE throughline.threads (
    number bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    seq bigint NOT NULL DEFAULT -1,
    hash text NOT NULL DEFAULT '${GENESIS}',
    ts bigint NOT NULL DEFAULT 0,
    sum text NOT NULL DEFAULT ''
  ) WITH (fillfactor = 70);
  CREATE TABLE throughline.records (
    thread bigint NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    hash text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (thread, seq)
  );
  CREATE UNIQUE INDEX records_by_id ON throughline.records (id, thread);
  CREATE TABLE throughline.moves (
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    thread bigint NOT NULL,
    seq bigint NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (xid, thread)
  );
  CREATE SEQUENCE throughline.fences;
  CREATE TABLE throughline.leases (
    name text COLLATE "C" PRIMARY KEY,
    fence bigint NOT NULL,
    holder text,
    expires timestamptz NOT NULL,
    is_awaited boolean NOT NULL DEFAULT false
  ) WITH (fillfactor = 50);
  CREATE INDEX leases_by_fence ON throughline.leases (fence);
`

/**
 * Makes the tables where there are none, and returns the epoch of the log.
 *
 * @throws {@link LogError} `configuration`, or an error of the database
 */
export async function claimTables(connection: Connection, shown: string): Promise<string> {
  const before = await schemaIn(connection)
  if (before === 'none' || before === 'empty') await makeTables(connection, shown)
  if ((await schemaIn(connection)) !== 'tables') {
    throw unusable(shown, 'its schema "throughline" is not a log; name another database')
  }
  const meta = await readMeta(connection, shown)
  if (meta?.['format'] !== FORMAT) {
    throw unusable(shown, `it holds a log of format ${String(meta?.['format'])}`)
  }
  return String(meta['epoch'])
}

async function readMeta(connection: Connection, shown: string): Promise<Row | undefined> {
  try {
    const [meta] = await connection.query(SQL.meta)
    return meta
  } catch (error) {
    if (!isForbidden(error)) throw error
    const [{ user, owner } = {}] = await connection.query(SQL.owner)
    const mend = `open it as ${String(owner)}, who owns them, or as an administrator run: GRANT ${String(owner)} TO ${String(user)}`
    throw unusable(shown, `its user ${String(user)} may not use the tables; ${mend}`, error)
  }
}

async function schemaIn(connection: Connection): Promise<'none' | 'empty' | 'tables' | 'other'> {
  const [row] = await connection.query(SQL.schema)
  if (row?.['has_schema'] !== true) return 'none'
  if (row['has_meta'] === true) return 'tables'
  return row['is_empty'] === true ? 'empty' : 'other'
}

/** An administrator may have made the schema, for a user who may not make one. */
async function makeTables(connection: Connection, shown: string): Promise<void> {
  try {
    await connection.transaction(async () => {
      await connection.query(SQL.lock, [MAKING_LOCK])
      const found = await schemaIn(connection)
      if (found === 'none') await connection.query(SQL.make_schema)
      else if (found !== 'empty') return
      await connection.query({ name: '', text: TABLES })
      await connection.query(SQL.put_meta, [FORMAT, uuidv7()])
    })
  } catch (error) {
    if (!isForbidden(error)) throw error
    const [{ name } = {}] = await connection.query(SQL.user)
    const user = String(name)
    const mend = `as an administrator of this database run: CREATE SCHEMA IF NOT EXISTS throughline; ALTER SCHEMA throughline OWNER TO ${user}`
    const why = `its user ${user} may not make the tables (${thrownMessage(error)}); ${mend}`
    throw unusable(shown, why, error)
  }
}

function unusable(shown: string, why: string, cause?: unknown): LogError {
  return new LogError('configuration', `Cannot open "${shown}": ${why}`, { cause })
}

const SQL = statements({
  /** Read from the tables of the catalogue: what `to_regclass` says may be older than the lock. */
  schema: `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'throughline') AS has_schema,
    EXISTS (
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'throughline' AND c.relname = 'meta'
    ) AS has_meta,
    NOT EXISTS (
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'throughline'
    ) AS is_empty`,
  make_schema: 'CREATE SCHEMA throughline',
  user: 'SELECT quote_ident(current_user) AS name',
  owner: `SELECT quote_ident(current_user) AS user, nspowner::regrole::text AS owner
    FROM pg_namespace WHERE nspname = 'throughline'`,
  meta: `SELECT
    (SELECT value FROM throughline.meta WHERE key = 'format') AS format,
    (SELECT value FROM throughline.meta WHERE key = 'epoch') AS epoch`,
  lock: 'SELECT pg_advisory_xact_lock($1)',
  put_meta: "INSERT INTO throughline.meta VALUES ('format', $1), ('epoch', $2)",
})
