import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../../log/index.ts'
import { makePrivateDatabase, makePrivateFolder } from './private-file.ts'
import { storageError } from './sqlite-error.ts'

export interface SideFileTerms {
  readonly path: string
  /** The version of the tables: a file of another format is replaced. */
  readonly format: number
  /** Statements that create missing tables. */
  readonly tables: string
  /** `OFF` where every row carries a checksum, `NORMAL` where rows have to fit each other. */
  readonly synchronous: 'OFF' | 'NORMAL'
  /** Overwrites what is removed from it; for files that may hold what a person may have erased. */
  readonly overwrites?: boolean
  /** Called with each failure; after one that is no damage to the file nothing is kept any more. */
  readonly onFault?: ((error: LogError) => void) | undefined
}

/**
 * An SQLite file beside a log that may be deleted at any time. Its failures do not reach its users: a
 * file that cannot be read is begun anew, one that cannot be written is left alone.
 */
export class SideFile {
  readonly #terms: SideFileTerms
  #database: DatabaseSync | undefined

  constructor(terms: SideFileTerms) {
    this.#terms = terms
    try {
      this.#database = opened(terms)
    } catch (error) {
      this.#fail('open', error)
    }
  }

  use<Result>(action: string, work: (database: DatabaseSync) => Result): Result | undefined {
    try {
      return this.#database && work(this.#database)
    } catch (error) {
      this.#fail(action, error)
      return undefined
    }
  }

  /** Does all of the work or nothing of it. */
  change<Result>(action: string, work: (database: DatabaseSync) => Result): Result | undefined {
    return this.use(action, (database) => {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work(database)
        database.exec('COMMIT')
        return result
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    })
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  #fail(action: string, error: unknown): void {
    const failure = storageError(`${action} "${this.#terms.path}"`, error)
    this.close()
    this.#terms.onFault?.(failure)
    if (failure.code === 'corrupt') this.#beginAnew()
  }

  #beginAnew(): void {
    const { path, onFault } = this.#terms
    try {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      this.#database = opened(this.#terms)
    } catch (error) {
      onFault?.(storageError(`begin "${path}" anew`, error))
    }
  }
}

function opened({ path, format, tables, synchronous, overwrites }: SideFileTerms): DatabaseSync {
  makePrivateFolder(dirname(path))
  makePrivateDatabase(path)
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
    if (overwrites === true) database.exec('PRAGMA secure_delete = ON')
    const held = database.prepare('PRAGMA user_version').get()?.['user_version']
    if (held !== 0 && held !== format) {
      throw new LogError('corrupt', `Cannot open "${path}": its format is ${String(held)}`)
    }
    database.exec(`PRAGMA user_version = ${format}; ${tables}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
