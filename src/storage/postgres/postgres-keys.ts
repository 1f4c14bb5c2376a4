import { thrownMessage } from '../../json/index.ts'
import { LogError } from '../../log/index.ts'
import type { ErasedSubject, Erasure, KeyState, Keys, SubjectKey } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { ConnectionPool } from './connection-pool.ts'
import { Connector, statements } from './connection.ts'
import type { Connection, Row, Statement } from './connection.ts'
import { isForbidden, postgresError, reportingAs } from './postgres-error.ts'
import { parsePostgresUrl } from './postgres-url.ts'

/** Held while the tables are made: processes that start together make them once. */
const MAKING_LOCK = 8_317_040_662_213

/** Connections of a process that ask for keys, beside those of its log. */
export const KEY_CONNECTIONS_MAX = 1

/** Keys in a schema of their own, which all servers share. It may lie in another database than the log. */
export class PostgresKeys implements Keys {
  readonly id: string
  readonly #pool: ConnectionPool
  readonly #newKey: () => SubjectKey

  /** @throws {@link LogError} `configuration`, `unavailable`, `io` */
  static async open(url: string, newKey: () => SubjectKey): Promise<PostgresKeys> {
    const address = parsePostgresUrl(url)
    const pool = new ConnectionPool(new Connector(address), KEY_CONNECTIONS_MAX)
    try {
      return new PostgresKeys(
        await pool.lend((one) => claimTables(one, address.shown)),
        pool,
        newKey,
      )
    } catch (error) {
      await pool.close()
      throw postgresError(`open the keys in "${address.shown}"`, error)
    }
  }

  private constructor(id: string, pool: ConnectionPool, newKey: () => SubjectKey) {
    this.id = id
    this.#pool = pool
    this.#newKey = newKey
  }

  async keyOf(subject: string): Promise<KeyState> {
    const found = await this.find(subject)
    if (found) return found
    const { id, bytes } = this.#newKey()
    const hex = Buffer.from(bytes).toString('hex')
    // Another server may have made one meanwhile: then that one counts.
    await this.#query('make a key', SQL.put_key, [subject, id, hex])
    const state = await this.find(subject)
    if (state) return state
    throw new LogError('corrupt', 'Cannot make a key: the database did not keep it')
  }

  async find(subject: string): Promise<KeyState | undefined> {
    const [row] = await this.#query('read a key', SQL.find_key, [subject])
    if (!row) return undefined
    if (row['id'] === null) return { status: 'erased', erasure: erasureIn(row) }
    return {
      status: 'kept',
      key: { id: textOf(row['id']), bytes: Buffer.from(textOf(row['bytes']), 'hex') },
    }
  }

  async erase(subject: string, { at, by, why }: Erasure): Promise<void> {
    await this.#query('erase a key', SQL.erase_key, [subject, at, by, why])
  }

  async erased(after: string, limit: number): Promise<readonly ErasedSubject[]> {
    const rows = await this.#query('list the erased', SQL.erased_keys, [after, limit])
    return rows.map((row) => ({ subject: textOf(row['subject']), ...erasureIn(row) }))
  }

  async followed(): Promise<number> {
    const [row] = await this.#query('read the position', SQL.followed)
    return row ? Number(row['value']) : -1
  }

  async follow(seq: number): Promise<void> {
    await this.#query('save the position', SQL.follow, [String(seq)])
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #query(
    action: string,
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return reportingAs(action, () => this.#pool.query(statement, values))
  }
}

/** An administrator may have made the schema, for a user who may not make one. */
async function claimTables(connection: Connection, shown: string): Promise<string> {
  const id = await idIn(connection)
  if (id !== undefined) return id
  try {
    await connection.transaction(async () => {
      await connection.query(SQL.lock_keys, [MAKING_LOCK])
      if ((await idIn(connection)) !== undefined) return
      const [found] = await connection.query(SQL.has_keys_schema)
      if (found?.['has_schema'] !== true) await connection.query(SQL.make_keys_schema)
      await connection.query({ name: '', text: TABLES })
      await connection.query(SQL.put_keys_id, [uuidv7()])
    })
  } catch (error) {
    if (!isForbidden(error)) throw error
    const [{ name } = {}] = await connection.query(SQL.keys_user)
    const user = String(name)
    const mend = `as an administrator of this database run: CREATE SCHEMA IF NOT EXISTS throughline_keys; ALTER SCHEMA throughline_keys OWNER TO ${user}`
    const why = `its user ${user} may not make the tables (${thrownMessage(error)})`
    const message = `Cannot keep keys in "${shown}": ${why}; ${mend}`
    throw new LogError('configuration', message, { cause: error })
  }
  return (await idIn(connection)) ?? ''
}

async function idIn(connection: Connection): Promise<string | undefined> {
  const [found] = await connection.query(SQL.has_keys)
  if (found?.['has_keys'] !== true) return undefined
  const [row] = await connection.query(SQL.keys_id)
  return row && textOf(row['value'])
}

function erasureIn(row: Row): Erasure {
  return { at: wholeOf(Number(row['at'])), by: textOf(row['erased_by']), why: textOf(row['why']) }
}

/** A row without an id is a subject that was erased. */
const TABLES = `
  CREATE TABLE throughline_keys.meta (key text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE throughline_keys.keys (
    subject text COLLATE "C" PRIMARY KEY,
    id text,
    bytes text,
    at bigint,
    erased_by text,
    why text
  );
`

const SQL = statements({
  /** Read from the tables of the catalogue: what `to_regclass` says may be older than the lock. */
  has_keys: `SELECT EXISTS (
    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'throughline_keys' AND c.relname = 'keys'
  ) AS has_keys`,
  has_keys_schema: `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'throughline_keys')
    AS has_schema`,
  make_keys_schema: 'CREATE SCHEMA throughline_keys',
  keys_user: 'SELECT quote_ident(current_user) AS name',
  lock_keys: 'SELECT pg_advisory_xact_lock($1)',
  keys_id: "SELECT value FROM throughline_keys.meta WHERE key = 'id'",
  put_keys_id: "INSERT INTO throughline_keys.meta VALUES ('id', $1) ON CONFLICT DO NOTHING",
  put_key: `INSERT INTO throughline_keys.keys (subject, id, bytes) VALUES ($1, $2, $3)
    ON CONFLICT (subject) DO NOTHING`,
  find_key: 'SELECT id, bytes, at, erased_by, why FROM throughline_keys.keys WHERE subject = $1',
  erase_key: `INSERT INTO throughline_keys.keys (subject, at, erased_by, why)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (subject) DO UPDATE SET id = NULL, bytes = NULL, at = excluded.at,
      erased_by = excluded.erased_by, why = excluded.why
    WHERE keys.id IS NOT NULL`,
  erased_keys: `SELECT subject, at, erased_by, why FROM throughline_keys.keys
    WHERE id IS NULL AND subject > $1 ORDER BY subject LIMIT $2`,
  followed: "SELECT value FROM throughline_keys.meta WHERE key = 'followed'",
  follow: `INSERT INTO throughline_keys.meta VALUES ('followed', $1)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
    WHERE CAST(meta.value AS bigint) < CAST(excluded.value AS bigint)`,
})
