import { DatabaseSync } from 'node:sqlite'
import { LogError, mayPass } from '../../log/index.ts'
import type { Erasure, SubjectKey } from '../../log/index.ts'
import { uuidv7 } from '../../platform/index.ts'
import { makePrivateDatabase, makePrivateFolderOf } from '../files/private-file.ts'
import { textOf } from '../sql/rows.ts'
import { SqlKeys } from '../sql/sql-keys.ts'
import { reporting } from '../files/storage-error.ts'
import { makeDurable, markedAs, requireKind } from './sqlite-schema.ts'
import type { Kind } from './sqlite-schema.ts'

/** "ThrK" */
const KEYS: Kind = { id: 0x5468724b, format: 1, name: 'a store of keys' }

export interface KeyFileParts {
  readonly newKey: () => SubjectKey
  /** Called with the failure after which it gives and takes no key any more. */
  readonly onFatal: (error: LogError) => void
}

/**
 * Keys in an SQLite file of their own. What is erased is overwritten in the file, and its write-ahead log is
 * emptied before the erasure resolves.
 */
export class KeyFile extends SqlKeys {
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #onFatal: (error: LogError) => void
  #failure: LogError | undefined

  /** @throws {@link LogError} `configuration`, `corrupt`, `storage_full`, `io` */
  constructor(path: string, { newKey, onFatal }: KeyFileParts) {
    makePrivateFolderOf(path)
    const { database, id } = reporting(`open the keys in "${path}"`, () => opened(path))
    super({
      id,
      newKey,
      schema: '',
      query: async (action, { text }, values) =>
        this.#use(action, () => database.prepare(text.replaceAll('$', '?')).all(...values)),
    })
    this.#path = path
    this.#database = database
    this.#onFatal = onFatal
  }

  override async erase(subject: string, erasure: Erasure): Promise<void> {
    await super.erase(subject, erasure)
    this.#use('erase a key', () => {
      // Frames of the write-ahead log hold the key until they are cut off.
      const busy = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy']
      if (busy === 0) return
      const mend = 'another program reads the file; close it and erase again'
      throw new LogError('busy', `Cannot empty "${this.#path}-wal": ${mend}`)
    })
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  /** After a failure that is not known to pass nobody can tell what the disk holds. */
  #use<Result>(action: string, work: () => Result): Result {
    if (this.#failure) throw this.#failure
    try {
      return reporting(`${action} in "${this.#path}"`, work)
    } catch (error) {
      if (error instanceof LogError && !mayPass(error)) {
        this.#failure = error
        this.#onFatal(error)
      }
      throw error
    }
  }
}

function opened(path: string) {
  makePrivateDatabase(path)
  const database = new DatabaseSync(path)
  try {
    const kept = requireKind(database, path, KEYS)
    makeDurable(database, path)
    database.exec('PRAGMA secure_delete = ON')
    if (kept === 'new') {
      database.exec(`BEGIN IMMEDIATE; ${TABLES}`)
      database.prepare("INSERT INTO meta VALUES ('id', ?)").run(uuidv7())
      database.exec('COMMIT')
    }
    const row = database.prepare("SELECT value FROM meta WHERE key = 'id'").get()
    return { database, id: textOf(row?.['value']) }
  } catch (error) {
    database.close()
    throw error
  }
}

const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (
    subject TEXT PRIMARY KEY, id TEXT, bytes BLOB, at INTEGER, erased_by TEXT, why TEXT
  ) STRICT, WITHOUT ROWID;
  ${markedAs(KEYS)}`
