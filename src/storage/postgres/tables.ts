import { LogError, GENESIS } from '../../log/index.ts'
import type { Connection, Statement } from './connection.ts'

/** Of the tables; a log of another format is refused. */
const FORMAT = '1'

/** Held while the tables are made: processes that start together make them once. */
const MAKING_LOCK = 8_317_040_662_211

/**
 * Records hold what is hashed; a thread's row holds its head, which every append compares and moves.
 * `moves` has a row for each thread and transaction, in an order that skips nothing: see the feed.
 */
const TABLES = `
  CREATE SCHEMA throughline;
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

export interface ClaimedTables {
  readonly epoch: string
}

/**
 * Makes the tables where there are none.
 *
 * @throws {@link LogError} `configuration`, or an error of the database
 */
export async function claimTables(
  connection: Connection,
  { shown, newEpoch }: { readonly shown: string; readonly newEpoch: () => string },
): Promise<ClaimedTables> {
  if ((await schemaIn(connection)) === 'none') await makeTables(connection, newEpoch())
  if ((await schemaIn(connection)) !== 'tables') {
    throw unusable(shown, 'its schema "throughline" is not a log; name another database')
  }
  const [meta] = await connection.query(META)
  if (meta?.['format'] !== FORMAT) {
    throw unusable(shown, `it holds a log of format ${String(meta?.['format'])}`)
  }
  return { epoch: String(meta['epoch']) }
}

async function schemaIn(connection: Connection): Promise<'none' | 'tables' | 'other'> {
  const [row] = await connection.query(SCHEMA)
  if (row?.['has_schema'] !== true) return 'none'
  return row['has_meta'] === true ? 'tables' : 'other'
}

async function makeTables(connection: Connection, epoch: string): Promise<void> {
  const run = (text: string) => connection.query({ name: '', text })
  await run('BEGIN')
  try {
    await connection.query(LOCK, [MAKING_LOCK])
    if ((await schemaIn(connection)) === 'none') {
      await run(TABLES)
      await connection.query(PUT_META, [FORMAT, epoch])
    }
    await run('COMMIT')
  } catch (error) {
    if (!connection.isLost) await run('ROLLBACK')
    throw error
  }
}

function unusable(shown: string, why: string): LogError {
  return new LogError('configuration', `Cannot open "${shown}": ${why}`)
}

/** Read from the tables of the catalogue: what `to_regclass` says may be older than the lock. */
const SCHEMA: Statement = {
  name: 'schema',
  text: `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'throughline') AS has_schema,
    EXISTS (
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'throughline' AND c.relname = 'meta'
    ) AS has_meta`,
}
const META: Statement = {
  name: 'meta',
  text: `SELECT
    (SELECT value FROM throughline.meta WHERE key = 'format') AS format,
    (SELECT value FROM throughline.meta WHERE key = 'epoch') AS epoch`,
}
const LOCK: Statement = { name: 'lock', text: 'SELECT pg_advisory_xact_lock($1)' }
const PUT_META: Statement = {
  name: 'put_meta',
  text: "INSERT INTO throughline.meta VALUES ('format', $1), ('epoch', $2)",
}
