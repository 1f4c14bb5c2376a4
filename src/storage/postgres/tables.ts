import { LogError, GENESIS } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { statements } from './connection.ts'
import type { Connection, Row } from './connection.ts'
import { makeTables } from './make-tables.ts'
import { isForbidden } from './postgres-error.ts'

/** Of the tables; a log of another format is refused. */
const FORMAT = '1'

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
  const isLog = await makeTables(connection, {
    schema: 'throughline',
    table: 'meta',
    lock: MAKING_LOCK,
    action: `open "${shown}"`,
    text: `${TABLES} INSERT INTO throughline.meta VALUES ('format', '${FORMAT}'), ('epoch', '${uuidv7()}')`,
  })
  if (!isLog) throw unusable(shown, 'its schema "throughline" is not a log; name another database')
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

function unusable(shown: string, why: string, cause?: unknown): LogError {
  return new LogError('configuration', `Cannot open "${shown}": ${why}`, { cause })
}

const SQL = statements({
  owner: `SELECT quote_ident(current_user) AS user, nspowner::regrole::text AS owner
    FROM pg_namespace WHERE nspname = 'throughline'`,
  meta: `SELECT
    (SELECT value FROM throughline.meta WHERE key = 'format') AS format,
    (SELECT value FROM throughline.meta WHERE key = 'epoch') AS epoch`,
})
