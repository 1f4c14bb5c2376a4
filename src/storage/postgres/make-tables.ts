import { thrownMessage } from '../../json/index.ts'
import { LogError } from '../../log/index.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import { isForbidden } from './postgres-error.ts'

export interface Tables {
  readonly schema: string
  /** A table of the schema: where it is, all are. */
  readonly table: string
  /** Held while the tables are made: processes that start together make them once. */
  readonly lock: number
  /** The statements that make them. */
  readonly text: string
  /** What cannot be done without them. */
  readonly action: string
}

/**
 * Makes tables in a schema of their own that is missing or empty. Returns false, and makes none, where another
 * program has made the schema.
 *
 * @throws {@link LogError} `configuration`, or an error of the database
 */
export async function makeTables(connection: Connection, tables: Tables): Promise<boolean> {
  if (await isMade(connection, tables)) return true
  try {
    await connection.transaction(async () => {
      await connection.query(LOCK, [tables.lock])
      const [found] = await connection.query(SQL.schema, [tables.schema])
      // A user who may not make schemas gets an empty one from an administrator.
      if (!found) await connection.query({ name: '', text: `CREATE SCHEMA ${tables.schema}` })
      if (!found || found['is_empty'] === true)
        await connection.query({ name: '', text: tables.text })
    })
  } catch (error) {
    if (!isForbidden(error)) throw error
    throw await mayNotMake(connection, tables, error)
  }
  return isMade(connection, tables)
}

async function isMade(connection: Connection, { schema, table }: Tables): Promise<boolean> {
  return (await connection.query(SQL.table, [schema, table])).length > 0
}

async function mayNotMake(connection: Connection, { schema, action }: Tables, cause: unknown) {
  const [{ name } = {}] = await connection.query(SQL.user)
  const user = String(name)
  const mend = `as an administrator of this database run: CREATE SCHEMA IF NOT EXISTS ${schema}; ALTER SCHEMA ${schema} OWNER TO ${user}`
  const why = `its user ${user} may not make the tables (${thrownMessage(cause)}); ${mend}`
  return new LogError('configuration', `Cannot ${action}: ${why}`, { cause })
}

export const LOCK = { name: 'lock', text: 'SELECT pg_advisory_xact_lock($1)' }

/** Read from the tables of the catalogue: what `to_regclass` says may be older than the lock. */
const SQL = statements({
  table: `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2`,
  schema: `SELECT NOT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid) AS is_empty
    FROM pg_namespace n WHERE n.nspname = $1`,
  user: 'SELECT quote_ident(current_user) AS name',
})
