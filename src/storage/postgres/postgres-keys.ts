import type { SubjectKey } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { textOf } from '../sql/rows.ts'
import { SqlKeys } from '../sql/sql-keys.ts'
import type { SqlKeysParts } from '../sql/sql-keys.ts'
import { ConnectionPool } from './connection-pool.ts'
import { Connector } from './connection.ts'
import type { Connection } from './connection.ts'
import { makeTables } from './make-tables.ts'
import { postgresError, reportingAs } from './postgres-error.ts'
import { parsePostgresUrl } from './postgres-url.ts'

const MAKING_LOCK = 8_317_040_662_213

/** Connections of a process that ask for keys, beside those of its log. */
export const KEY_CONNECTIONS_MAX = 1

/** Keys in a schema of their own, which all servers share. It may lie in another database than the log. */
export class PostgresKeys extends SqlKeys {
  readonly #pool: ConnectionPool

  /** @throws {@link LogError} `configuration`, `unavailable`, `io` */
  static async open(url: string, newKey: () => SubjectKey): Promise<PostgresKeys> {
    const address = parsePostgresUrl(url)
    const pool = new ConnectionPool(new Connector(address), KEY_CONNECTIONS_MAX)
    try {
      const id = await pool.lend((one) => claimTables(one, address.shown))
      return new PostgresKeys(id, pool, newKey)
    } catch (error) {
      await pool.close()
      throw postgresError(`open the keys in "${address.shown}"`, error)
    }
  }

  private constructor(id: string, pool: ConnectionPool, newKey: () => SubjectKey) {
    const query: SqlKeysParts['query'] = (action, statement, values) => {
      const texts = values.map((value) => (value instanceof Uint8Array ? hexOf(value) : value))
      return reportingAs(action, () => pool.query(statement, texts))
    }
    super({ id, newKey, schema: 'throughline_keys.', query })
    this.#pool = pool
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

async function claimTables(connection: Connection, shown: string): Promise<string> {
  await makeTables(connection, {
    schema: 'throughline_keys',
    table: 'keys',
    lock: MAKING_LOCK,
    text: `${TABLES} INSERT INTO throughline_keys.meta VALUES ('id', '${uuidv7()}')`,
    action: `keep keys in "${shown}"`,
  })
  const [row] = await connection.query(KEYS_ID)
  return textOf(row?.['value'])
}

const KEYS_ID = {
  name: 'keys_id',
  text: "SELECT value FROM throughline_keys.meta WHERE key = 'id'",
}

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
