import { DatabaseSync } from 'node:sqlite'
import { LogError, mayPass } from '../../log/index.ts'
import type { ErasedSubject, Erasure, KeyState, Keys, SubjectKey } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { makePrivateDatabase, makePrivateFolderOf } from '../files/private-file.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { reporting } from '../files/storage-error.ts'
import { makeDurable } from './sqlite-schema.ts'

/** "ThrK", by which a file is known to hold keys. */
const APPLICATION_ID = 0x5468724b
const FORMAT = 1

export interface KeyFileParts {
  readonly newKey: () => SubjectKey
  /** Called with the failure after which it gives and takes no key any more. */
  readonly onFatal: (error: LogError) => void
}

/**
 * Keys in an SQLite file of their own. What is erased is overwritten in the file, and its write-ahead log is
 * emptied before the erasure resolves.
 */
export class KeyFile implements Keys {
  readonly id: string
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #newKey: () => SubjectKey
  readonly #onFatal: (error: LogError) => void
  #failure: LogError | undefined

  /** @throws {@link LogError} `configuration`, `corrupt`, `storage_full`, `io` */
  constructor(path: string, { newKey, onFatal }: KeyFileParts) {
    this.#path = path
    this.#newKey = newKey
    this.#onFatal = onFatal
    makePrivateFolderOf(path)
    this.#database = reporting(`open the keys in "${path}"`, () => opened(path))
    this.id = this.#meta('id') ?? ''
  }

  async keyOf(subject: string): Promise<KeyState> {
    return this.#use('make a key', (database) => {
      const found = this.#find(subject)
      if (found) return found
      const key = this.#newKey()
      database
        .prepare('INSERT INTO keys (subject, id, bytes) VALUES (?, ?, ?)')
        .run(subject, key.id, key.bytes)
      return { status: 'kept', key }
    })
  }

  async find(subject: string): Promise<KeyState | undefined> {
    return this.#use('read a key', () => this.#find(subject))
  }

  async erase(subject: string, { at, by, why }: Erasure): Promise<void> {
    this.#use('erase a key', (database) => {
      database.prepare(ERASE).run(subject, at, by, why)
      // Frames of the write-ahead log hold the key until they are cut off.
      const busy = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy']
      if (busy === 0) return
      const mend = 'another program reads the file; close it and erase again'
      throw new LogError('busy', `Cannot empty "${this.#path}-wal": ${mend}`)
    })
  }

  async erased(after: string, limit: number): Promise<readonly ErasedSubject[]> {
    return this.#use('list the erased', (database) =>
      database
        .prepare(ERASED)
        .all(after, limit)
        .map((row) => ({ subject: textOf(row['subject']), ...erasureIn(row) })),
    )
  }

  async followed(): Promise<number> {
    return this.#use('read the position', () => Number(this.#meta('followed') ?? -1))
  }

  async follow(seq: number): Promise<void> {
    this.#use('save the position', (database) => database.prepare(FOLLOW).run(String(seq)))
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  #find(subject: string): KeyState | undefined {
    const row = this.#database.prepare('SELECT * FROM keys WHERE subject = ?').get(subject)
    if (!row) return undefined
    if (row['id'] === null) return { status: 'erased', erasure: erasureIn(row) }
    return { status: 'kept', key: { id: textOf(row['id']), bytes: bytesOf(row['bytes']) } }
  }

  #meta(key: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM meta WHERE key = ?').get(key)
    return row && textOf(row['value'])
  }

  /** After a failure that is not known to pass nobody can tell what the disk holds. */
  #use<Result>(action: string, work: (database: DatabaseSync) => Result): Result {
    if (this.#failure) throw this.#failure
    try {
      return reporting(`${action} in "${this.#path}"`, () => work(this.#database))
    } catch (error) {
      if (error instanceof LogError && !mayPass(error)) {
        this.#failure = error
        this.#onFatal(error)
      }
      throw error
    }
  }
}

function opened(path: string): DatabaseSync {
  makePrivateDatabase(path)
  const database = new DatabaseSync(path)
  try {
    const pragma = (name: string) =>
      wholeOf(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? undefined)
    const [owner, format] = [pragma('application_id'), pragma('user_version')]
    const isNew = owner === 0 && format === 0
    if (!isNew && (owner !== APPLICATION_ID || format !== FORMAT)) {
      const held = owner === APPLICATION_ID ? `keys of format ${format}` : 'no keys'
      throw new LogError('configuration', `Cannot open "${path}": it holds ${held}; name another`)
    }
    makeDurable(database, path)
    database.exec('PRAGMA secure_delete = ON')
    if (isNew) {
      database.exec(`BEGIN IMMEDIATE; ${TABLES}`)
      database.prepare("INSERT INTO meta VALUES ('id', ?)").run(uuidv7())
      database.exec('COMMIT')
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function erasureIn(row: Readonly<Record<string, unknown>>): Erasure {
  return { at: wholeOf(row['at']), by: textOf(row['erased_by']), why: textOf(row['why']) }
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new LogError('corrupt', 'Cannot read a key: it is stored as no bytes')
}

/** A row without an id is a subject that was erased. */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (
    subject TEXT PRIMARY KEY, id TEXT, bytes BLOB, at INTEGER, erased_by TEXT, why TEXT
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};`

const ERASE = `INSERT INTO keys (subject, at, erased_by, why) VALUES (?, ?, ?, ?)
  ON CONFLICT (subject) DO UPDATE SET id = NULL, bytes = NULL, at = excluded.at,
    erased_by = excluded.erased_by, why = excluded.why
  WHERE keys.id IS NOT NULL`

const ERASED = `SELECT subject, at, erased_by, why FROM keys
  WHERE id IS NULL AND subject > ? ORDER BY subject LIMIT ?`

const FOLLOW = `INSERT INTO meta VALUES ('followed', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE CAST(meta.value AS INTEGER) < CAST(excluded.value AS INTEGER)`
