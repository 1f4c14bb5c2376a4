import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import { LOCK } from './make-tables.ts'

/** Of the tables beside the log. */
const FORMAT = '3'

/** Held while the tables are made: processes that start together make them once. */
const MAKING_LOCK = 8_317_040_662_212

/**
 * What is computed from the log, for all processes. Losing it costs a pass over the log, and nothing else. A crash
 * of the database empties the second table, which is quicker to write.
 */
const TABLES = tableNamed('shelves', 'TABLE') + tableNamed('unlogged_shelves', 'UNLOGGED TABLE')

function tableNamed(name: string, kind: string): string {
  return `CREATE ${kind} throughline.${name} (
    shelf text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    sort text COLLATE "C" NOT NULL,
    rank bigint NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (key, shelf)
  );
  CREATE INDEX ${name}_in_order ON throughline.${name} (shelf, sort, rank);`
}

/** What releases up to 0.2 made: consumers go on where they were, the rest is computed anew. */
const CARRY_OVER = `
  INSERT INTO throughline.shelves
    SELECT '["cursors"]', consumer, '', 0, position FROM throughline.cursors
    WHERE length(consumer) < 250;
  INSERT INTO throughline.shelves
    SELECT '["open",' || to_json(consumer)::text || ']', thread, '', due_at, ''
    FROM throughline.open_threads WHERE length(consumer) < 250;
  DROP TABLE throughline.cursors, throughline.open_threads;
  DROP TABLE IF EXISTS throughline.snapshots, throughline.index_state,
    throughline.index_threads, throughline.index_facts;`

export async function claimShelfTables(connection: Connection): Promise<void> {
  if (await hasShelves(connection)) return
  await connection.transaction(async () => {
    await connection.query(LOCK, [MAKING_LOCK])
    if (await hasShelves(connection)) return
    await connection.query({ name: '', text: TABLES })
    const [row] = await connection.query(SQL.old_tables)
    if (row?.['are_there'] === true) await connection.query({ name: '', text: CARRY_OVER })
    await connection.query(SQL.put_side_format, [FORMAT])
  })
}

async function hasShelves(connection: Connection): Promise<boolean> {
  const [row] = await connection.query(SQL.side_format)
  return row?.['value'] === FORMAT
}

const SQL = statements({
  side_format: "SELECT value FROM throughline.meta WHERE key = 'side_format'",
  old_tables: `SELECT to_regclass('throughline.cursors') IS NOT NULL
    AND to_regclass('throughline.open_threads') IS NOT NULL AS are_there`,
  put_side_format: `INSERT INTO throughline.meta VALUES ('side_format', $1)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
})
