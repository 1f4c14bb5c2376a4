import { sha256 } from '../../platform/index.ts'
import type {
  ShelfChange,
  ShelfEntry,
  ShelfListing,
  ShelfPlace,
  ShelfQuery,
  Shelves,
} from '../../log/index.ts'
import { wholeOf } from '../sql/rows.ts'
import { LAST_CHARACTER, ShelfSelection, entryOf } from '../sql/shelf-selection.ts'
import type { Connection, Row, Statement } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { reportingAs } from './postgres-error.ts'

/** The first takes longer to write, the second is emptied when the database crashes. */
type ShelvesTable = 'shelves' | 'unlogged_shelves'

/** A longer name is cut and told apart by its digest: an index takes no row of more than 2,704 bytes. */
const SHELF_CHARS_MAX = 300

/** Shelves in the database of the log, which processes share. */
export class PostgresShelves implements Shelves {
  readonly #pool: ConnectionPool
  readonly #table: string
  readonly #sql: ReturnType<typeof statementsOn>

  constructor(pool: ConnectionPool, table: ShelvesTable) {
    this.#pool = pool
    this.#table = `throughline.${table}`
    this.#sql = statementsOn(table)
  }

  async get({ shelf, key }: ShelfPlace): Promise<ShelfEntry | undefined> {
    const rows = await reportingAs('read the shelves', () =>
      this.#pool.query(this.#sql.get, [stored(shelf), key]),
    )
    return this.#entriesOf(shelf, rows)[0]
  }

  async list(shelf: string, listing: ShelfListing): Promise<readonly ShelfEntry[]> {
    const selection = this.#newSelection()
    const text = selection.list(stored(shelf), { ...listing, ...storedIn(listing) })
    return this.#entriesOf(shelf, await this.#select(text, selection))
  }

  async count(query: ShelfQuery): Promise<number> {
    const selection = this.#newSelection()
    const [row] = await this.#select(selection.count(storedIn(query)), selection)
    return wholeOf(row?.['count'])
  }

  async change(change: ShelfChange): Promise<void> {
    await this.#transaction((connection) => this.#apply(connection, change))
  }

  update(
    { shelf, key }: ShelfPlace,
    decide: (held: ShelfEntry | undefined) => ShelfChange | undefined,
  ): Promise<boolean> {
    return this.#transaction(async (connection) => {
      // Also where there is no entry yet.
      await connection.query(this.#sql.lock, [`${stored(shelf)} ${key}`])
      const rows = await connection.query(this.#sql.get, [stored(shelf), key])
      const change = decide(this.#entriesOf(shelf, rows)[0])
      if (change) await this.#apply(connection, change)
      return change !== undefined
    })
  }

  /** The connections belong to the log. */
  async close(): Promise<void> {}

  #newSelection(): ShelfSelection {
    return new ShelfSelection(this.#table, '$')
  }

  #select(text: string, { values }: ShelfSelection): Promise<readonly Row[]> {
    return reportingAs('read the shelves', () => this.#pool.query({ name: '', text }, values))
  }

  #transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return reportingAs('write on the shelves', () => this.#pool.transaction(work))
  }

  async #apply(connection: Connection, { remove = [], put = [] }: ShelfChange): Promise<void> {
    const shelves = remove.filter(({ key }) => key === undefined).map(({ shelf }) => stored(shelf))
    if (shelves.length > 0) await connection.query(this.#sql.removeShelves, [shelves])
    const keyed = remove.filter(({ key }) => key !== undefined)
    if (keyed.length > 0) {
      await connection.query(this.#sql.removeKeys, [
        keyed.map(({ shelf }) => stored(shelf)),
        keyed.map(({ key }) => key),
      ])
    }
    if (put.length === 0) return
    await connection.query(this.#sql.put, [
      put.map(({ shelf }) => stored(shelf)),
      put.map(({ key }) => key),
      put.map(({ sort }) => sort),
      put.map(({ rank }) => rank),
      put.map(({ value }) => value),
    ])
  }

  #entriesOf(shelf: string, rows: readonly Row[]): readonly ShelfEntry[] {
    return rows.map((row) => ({ ...entryOf(row), shelf }))
  }
}

/** Keeps the beginning, by which names are removed together. */
function stored(shelf: string): string {
  if (shelf.length <= SHELF_CHARS_MAX) return shelf
  return `${shelf.slice(0, SHELF_CHARS_MAX)} ${sha256(shelf)}`
}

function storedIn({ by, on = [] }: ShelfQuery): ShelfQuery {
  const [lead, ...others] = [by, ...on].map((each) => ({ ...each, shelf: stored(each.shelf) }))
  return { by: lead ?? by, on: others }
}

function statementsOn(table: ShelvesTable) {
  const named = (what: string, text: string): Statement => ({ name: `${table}_${what}`, text })
  const isNamed = `shelf BETWEEN r.beginning AND r.beginning || '${LAST_CHARACTER}'`
  return {
    get: named(
      'get',
      `SELECT shelf, key, sort, rank, value FROM throughline.${table}
        WHERE shelf = $1 AND key = $2`,
    ),
    lock: named('lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'),
    removeShelves: named(
      'remove_shelves',
      `DELETE FROM throughline.${table} USING unnest($1::text[]) AS r (beginning)
        WHERE ${isNamed}`,
    ),
    removeKeys: named(
      'remove_keys',
      `DELETE FROM throughline.${table} AS e USING unnest($1::text[], $2::text[])
        AS r (beginning, key) WHERE e.key = r.key AND ${isNamed}`,
    ),
    put: named(
      'put',
      `INSERT INTO throughline.${table} (shelf, key, sort, rank, value)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
        ON CONFLICT (key, shelf) DO UPDATE SET sort = excluded.sort, rank = excluded.rank,
          value = excluded.value`,
    ),
  }
}
