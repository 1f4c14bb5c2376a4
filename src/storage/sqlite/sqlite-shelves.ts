import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type {
  LogError,
  ShelfChange,
  ShelfEntry,
  ShelfListing,
  ShelfPlace,
  ShelfQuery,
  Shelves,
} from '../../log/index.ts'
import { wholeOf } from '../sql/rows.ts'
import { LAST_CHARACTER, ShelfSelection, entryOf } from '../sql/shelf-selection.ts'
import { makePrivateDatabase, makePrivateFolder } from '../files/private-file.ts'
import { storageError } from '../files/storage-error.ts'

/** The format of the file: one of another format is begun anew. */
const FORMAT = 3

export interface SqliteShelvesOptions {
  /** `OFF` where every entry carries a checksum, `NORMAL`, the default, where entries have to fit each other. */
  readonly synchronous?: 'OFF' | 'NORMAL'
  /** Overwrites what is removed; for files that may hold what a person may have erased. */
  readonly overwrites?: boolean
  /** Called with each failure; after one that is no damage to the file nothing is kept any more. */
  readonly onFault?: ((error: LogError) => void) | undefined
}

/**
 * Shelves in an SQLite file beside a log, made at their first use, that may be deleted at any time. Failures do not
 * reach their users: a file that cannot be read is begun anew, one that cannot be written is left alone.
 */
export class SqliteShelves implements Shelves {
  readonly #path: string
  readonly #options: SqliteShelvesOptions
  #opened: Opened | undefined
  #isClosed = false

  constructor(path: string, options: SqliteShelvesOptions = {}) {
    this.#path = path
    this.#options = options
  }

  async get(place: ShelfPlace): Promise<ShelfEntry | undefined> {
    return this.#use('read', ({ statements }) => entryAt(statements, place))
  }

  async list(shelf: string, listing: ShelfListing): Promise<readonly ShelfEntry[]> {
    const rows = this.#use('read', ({ database }) => {
      const selection = newSelection()
      const statement = database.prepare(selection.list(shelf, listing))
      return statement.all(...selection.values).map(entryOf)
    })
    return rows ?? []
  }

  async count(query: ShelfQuery): Promise<number> {
    const count = this.#use('read', ({ database }) => {
      const selection = newSelection()
      const statement = database.prepare(selection.count(query))
      return wholeOf(statement.get(...selection.values)?.['count'])
    })
    return count ?? 0
  }

  async change(change: ShelfChange): Promise<void> {
    this.#changeOf(() => change)
  }

  async update(
    place: ShelfPlace,
    decide: (held: ShelfEntry | undefined) => ShelfChange | undefined,
  ): Promise<boolean> {
    return this.#changeOf((statements) => decide(entryAt(statements, place)))
  }

  async scrub(): Promise<void> {
    this.#use('write', ({ database }) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  async close(): Promise<void> {
    this.#close()
  }

  #changeOf(decide: (statements: Statements) => ShelfChange | undefined): boolean {
    const isChanged = this.#use('write', ({ database, statements }) => {
      database.exec('BEGIN IMMEDIATE')
      try {
        const change = decide(statements)
        if (change) apply(statements, change)
        database.exec('COMMIT')
        return change !== undefined
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    })
    return isChanged ?? false
  }

  #use<Result>(action: string, work: (opened: Opened) => Result): Result | undefined {
    if (this.#isClosed) return undefined
    try {
      this.#opened ??= opened(this.#path, this.#options)
      return work(this.#opened)
    } catch (error) {
      this.#fail(action, error)
      return undefined
    }
  }

  #fail(action: string, error: unknown): void {
    const failure = storageError(`${action} "${this.#path}"`, error)
    this.#close()
    this.#options.onFault?.(failure)
    if (failure.code !== 'corrupt') return
    try {
      removeDatabase(this.#path)
      this.#isClosed = false
    } catch (cause) {
      this.#options.onFault?.(storageError(`begin "${this.#path}" anew`, cause))
    }
  }

  #close(): void {
    this.#isClosed = true
    this.#opened?.database.close()
    this.#opened = undefined
  }
}

export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
}

type Opened = ReturnType<typeof opened>
type Statements = ReturnType<typeof prepareAll>

function opened(path: string, { synchronous = 'NORMAL', overwrites }: SqliteShelvesOptions) {
  makePrivateFolder(dirname(path))
  makePrivateDatabase(path)
  let database = new DatabaseSync(path)
  try {
    const held = database.prepare('PRAGMA user_version').get()?.['user_version']
    if (held !== 0 && held !== FORMAT) {
      database.close()
      removeDatabase(path)
      makePrivateDatabase(path)
      database = new DatabaseSync(path)
    }
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
    if (overwrites === true) database.exec('PRAGMA secure_delete = ON')
    database.exec(`PRAGMA user_version = ${FORMAT}; ${TABLE}`)
    return { database, statements: prepareAll(database) }
  } catch (error) {
    if (database.isOpen) database.close()
    throw error
  }
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS entries (
    shelf TEXT NOT NULL, key TEXT NOT NULL, sort TEXT NOT NULL, rank INTEGER NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (key, shelf)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_in_order ON entries (shelf, sort, rank);`

const newSelection = () => new ShelfSelection('entries', '?')

function prepareAll(database: DatabaseSync) {
  return {
    get: database.prepare('SELECT * FROM entries WHERE key = ? AND shelf = ?'),
    removeKey: database.prepare('DELETE FROM entries WHERE key = ? AND shelf BETWEEN ? AND ?'),
    removeAll: database.prepare('DELETE FROM entries WHERE shelf BETWEEN ? AND ?'),
    put: database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)'),
  }
}

function entryAt(statements: Statements, { shelf, key }: ShelfPlace): ShelfEntry | undefined {
  const row = statements.get.get(key, shelf)
  return row && entryOf(row)
}

function apply(statements: Statements, { remove = [], put = [] }: ShelfChange): void {
  for (const { shelf, key } of remove) {
    const names = [shelf, shelf + LAST_CHARACTER] as const
    if (key === undefined) statements.removeAll.run(...names)
    else statements.removeKey.run(key, ...names)
  }
  for (const { shelf, key, sort, rank, value } of put) {
    statements.put.run(shelf, key, sort, rank, value)
  }
}
