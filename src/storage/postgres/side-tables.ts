import { statements } from './connection.ts'
import type { Connection } from './connection.ts'

/** Of the side tables: the index of another format is made anew; only the index has changed since 1. */
const FORMAT = '2'

/** Held while the side tables are made: processes that start together make them once. */
const MAKING_LOCK = 8_317_040_662_212

/**
 * Tables computed from the log, for all processes: how far the consumers of the feed have come, the
 * index of threads, and snapshots. Losing any of it costs a pass over the log, and nothing else.
 */
const TABLES = `
  DROP TABLE IF EXISTS throughline.index_state, throughline.index_threads, throughline.index_facts;
  CREATE TABLE IF NOT EXISTS throughline.cursors (
    consumer text PRIMARY KEY,
    prefix text NOT NULL,
    position text NOT NULL,
    xid numeric NOT NULL,
    thread bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS throughline.open_threads (
    consumer text NOT NULL,
    thread text COLLATE "C" NOT NULL,
    due_at bigint NOT NULL,
    PRIMARY KEY (consumer, thread)
  );
  CREATE TABLE throughline.index_state (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    generation text NOT NULL,
    position text NOT NULL,
    xid numeric NOT NULL,
    thread bigint NOT NULL,
    last_rank bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  CREATE TABLE throughline.index_threads (
    thread text COLLATE "C" PRIMARY KEY,
    rank bigint NOT NULL UNIQUE,
    app text,
    head bigint NOT NULL,
    ts bigint,
    held text
  );
  CREATE INDEX index_threads_of_app ON throughline.index_threads (app, rank);
  CREATE TABLE throughline.index_facts (
    name text NOT NULL,
    value text COLLATE "C" NOT NULL,
    rank bigint NOT NULL,
    PRIMARY KEY (name, value, rank)
  );
  CREATE INDEX index_facts_of_thread ON throughline.index_facts (rank);
  CREATE UNLOGGED TABLE IF NOT EXISTS throughline.snapshots (
    thread text COLLATE "C" NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    seq bigint NOT NULL,
    hash text NOT NULL,
    body text NOT NULL,
    sum text NOT NULL,
    PRIMARY KEY (thread, name, seq)
  );
`

export async function claimSideTables(connection: Connection): Promise<void> {
  if (await hasSideTables(connection)) return
  await connection.transaction(async () => {
    await connection.query(SQL.lock_side, [MAKING_LOCK])
    if (await hasSideTables(connection)) return
    await connection.query({ name: '', text: TABLES })
    await connection.query(SQL.put_side_format, [FORMAT])
  })
}

async function hasSideTables(connection: Connection): Promise<boolean> {
  const [row] = await connection.query(SQL.side_format)
  return row?.['value'] === FORMAT
}

const SQL = statements({
  lock_side: 'SELECT pg_advisory_xact_lock($1)',
  side_format: "SELECT value FROM throughline.meta WHERE key = 'side_format'",
  put_side_format: `INSERT INTO throughline.meta VALUES ('side_format', $1)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
})
