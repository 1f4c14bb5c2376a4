import type { DatabaseSync } from 'node:sqlite'
import { LogError } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { textOf, wholeOf } from '../sql/rows.ts'

/** A file with its application id, in its format, is of a kind of ours. */
export interface Kind {
  readonly id: number
  readonly format: number
  readonly name: string
}

/** "Thrl" */
const LOG: Kind = { id: 0x5468726c, format: 2, name: 'a log' }
const SYNCHRONOUS_FULL = 2
/** Below it, two connections can reset the write-ahead log under each other and lose commits. */
const SQLITE_VERSION_MIN = '3.51.3'

/** Kept in memory per connection, in KiB. */
const CACHE_KIB = 16_384
/** The write-ahead log is cut back to this many bytes once it was emptied. */
const WAL_BYTES_KEPT_MAX = 67_108_864

/**
 * Records lie in the order in which they were committed, whatever their thread, so that a commit that
 * many threads share writes a few pages at the end of the table and not one or two for each of them.
 * Ids come first in their index for the same reason: those of version 7 rise.
 */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE threads (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL REFERENCES threads (number),
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX records_by_seq ON records (thread, seq);
  CREATE UNIQUE INDEX records_by_id ON records (id, thread);
  ${markedAs(LOG)}
`

/** The statements by which a new file becomes one of a kind. */
export function markedAs({ id, format }: Kind): string {
  return `PRAGMA application_id = ${id}; PRAGMA user_version = ${format};`
}

function checkVersion(database: DatabaseSync): void {
  const version = textOf(database.prepare('SELECT sqlite_version() AS v').get()?.['v'])
  if (version.localeCompare(SQLITE_VERSION_MIN, 'en', { numeric: true }) >= 0) return
  throw new LogError(
    'configuration',
    `Cannot keep a log in SQLite ${version}: it can lose commits; run a Node that brings ` +
      `${SQLITE_VERSION_MIN} or later`,
  )
}

/** Refuses a database of something else, before anything in it is touched. */
export function requireKind(database: DatabaseSync, path: string, kind: Kind): 'ours' | 'new' {
  const id = pragma(database, 'application_id')
  const format = pragma(database, 'user_version')
  if (id === kind.id && format === kind.format) return 'ours'
  const tables = wholeOf(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'])
  if (id === 0 && tables === 0) return 'new'
  const held = id === kind.id ? `${kind.name} of format ${format}` : `not ${kind.name}`
  throw new LogError('configuration', `Cannot open "${path}": it is ${held}; name another file`)
}

/** Makes a commit wait for the disk, and reads back that it does. */
export function makeDurable(database: DatabaseSync, path: string): void {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA cell_size_check = ON;
    PRAGMA journal_size_limit = ${WAL_BYTES_KEPT_MAX};
  `)
  const synchronous = pragma(database, 'synchronous')
  if (mode === 'wal' && synchronous === SYNCHRONOUS_FULL) return
  throw new LogError(
    'configuration',
    `Cannot open "${path}": journal is "${String(mode)}" and synchronous ${synchronous}, not ` +
      `"wal" and ${SYNCHRONOUS_FULL}; put it on a local disk`,
  )
}

/**
 * Takes the database over: creates its tables when it is new, and raises the fence, so that a writer
 * that thinks it still holds the file cannot commit any more.
 *
 * @throws {@link LogError} or an error of the database
 */
export function takeOver(database: DatabaseSync, path: string) {
  checkVersion(database)
  requireKind(database, path, LOG)
  makeDurable(database, path)
  database.exec('BEGIN IMMEDIATE')
  createTables(database)
  database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'fence'")
  const meta = database.prepare('SELECT value FROM meta WHERE key = ?')
  const fence = textOf(meta.get('fence')?.['value'])
  const epoch = textOf(meta.get('epoch')?.['value'])
  const wasSigned = meta.get('signed') !== undefined
  database.exec('COMMIT')
  return { fence, epoch, wasSigned }
}

/** The epoch of a log that can only be read. */
export function epochOf(database: DatabaseSync, path: string): string {
  checkVersion(database)
  requireKind(database, path, LOG)
  const [row] = database.prepare("SELECT value FROM meta WHERE key = 'epoch'").all()
  return textOf(row?.['value'])
}

function createTables(database: DatabaseSync): void {
  if (pragma(database, 'application_id') === LOG.id) return
  database.exec(TABLES)
  database.prepare("INSERT INTO meta VALUES ('epoch', ?), ('fence', '0')").run(uuidv7())
}

function pragma(database: DatabaseSync, name: string): number {
  return wholeOf(database.prepare(`PRAGMA ${name}`).get()?.[name])
}
