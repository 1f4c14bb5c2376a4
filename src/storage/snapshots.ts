import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../log/index.ts'
import type { SnapshotKey, Snapshots, StoredSnapshot } from '../log/index.ts'
import { makePrivateDatabase, makePrivateFolder } from './private-file.ts'
import { textOf, wholeOf } from './rows.ts'
import { storageError } from './sqlite-error.ts'

/** Kept of each thread: the newest, and one before it for whoever asks for an earlier state. */
export const SNAPSHOTS_KEPT_MAX = 2

/** The format of the file: another one is begun anew. */
const FORMAT = 1

export interface SnapshotFileOptions {
  /** Signs what is kept; without it each entry carries a checksum only. */
  readonly key?: string
  /** Hears of each failure; after one that is no damage to the file nothing is kept any more. */
  readonly onFault?: (error: LogError) => void
}

/**
 * Snapshots in an SQLite file of their own, written without waiting for the disk. All of it may be
 * deleted at any time, and nothing that goes wrong with it reaches whoever asks: a file that cannot be
 * read is begun anew, one that cannot be written is left alone.
 */
export class SnapshotFile implements Snapshots {
  readonly #path: string
  readonly #key: string
  readonly #onFault: (error: LogError) => void
  #database: DatabaseSync | undefined

  constructor(path: string, { key = '', onFault = ignore }: SnapshotFileOptions = {}) {
    this.#path = path
    this.#key = key
    this.#onFault = onFault
    this.#begin()
  }

  async latest(
    thread: string,
    { name, version, upTo }: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined> {
    return this.#use('read', (database) => {
      for (const row of database.prepare(LATEST).iterate(thread, name, version, upTo)) {
        const { seq, hash, body, sum } = row
        const stored = { seq: wholeOf(seq), hash: textOf(hash), body: textOf(body) }
        if (sum === this.#sum(thread, { name, version }, stored)) return stored
      }
      return undefined
    })
  }

  async put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void> {
    const { name, version } = key
    const { seq, hash, body } = snapshot
    this.#use('write', (database) => {
      const sum = this.#sum(thread, key, snapshot)
      database.prepare(PUT).run(thread, name, version, seq, hash, body, sum)
      database.prepare(FORGET).run({ thread, name, version, seq })
    })
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  #sum(thread: string, { name, version }: SnapshotKey, stored: StoredSnapshot): string {
    const { seq, hash, body } = stored
    const said = JSON.stringify([thread, name, version, seq, hash])
    // Half the time of SHA-256 where the processor has no instructions for that.
    return createHmac('sha512-256', this.#key).update(said).update(body).digest('hex')
  }

  #begin(): void {
    try {
      this.#database = opened(this.#path)
    } catch (error) {
      this.#fail('open', error)
    }
  }

  #beginAnew(): void {
    try {
      for (const end of ['', '-wal', '-shm']) rmSync(`${this.#path}${end}`, { force: true })
      this.#database = opened(this.#path)
    } catch (error) {
      this.#onFault(storageError(`begin "${this.#path}" anew`, error))
    }
  }

  #use<Result>(action: string, work: (database: DatabaseSync) => Result): Result | undefined {
    try {
      return this.#database && work(this.#database)
    } catch (error) {
      this.#fail(action, error)
      return undefined
    }
  }

  #fail(action: string, error: unknown): void {
    const failure = storageError(`${action} "${this.#path}"`, error)
    this.close()
    this.#onFault(failure)
    if (failure.code === 'corrupt') this.#beginAnew()
  }
}

function opened(path: string): DatabaseSync {
  makePrivateFolder(dirname(path))
  makePrivateDatabase(path)
  const database = new DatabaseSync(path)
  try {
    // A crash may cost what was written last, or the file: it is a cache.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const format = database.prepare('PRAGMA user_version').get()?.['user_version']
    if (format !== 0 && format !== FORMAT) {
      throw new LogError('corrupt', `Cannot open "${path}": its format is ${String(format)}`)
    }
    database.exec(`PRAGMA user_version = ${FORMAT}; ${TABLE}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const TABLE = `CREATE TABLE IF NOT EXISTS snapshots (
  thread TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, seq INTEGER NOT NULL,
  hash TEXT NOT NULL, body TEXT NOT NULL, sum TEXT NOT NULL,
  PRIMARY KEY (thread, name, seq)
) STRICT`

const LATEST = `SELECT seq, hash, body, sum FROM snapshots
  WHERE thread = ? AND name = ? AND version = ? AND seq <= ? ORDER BY seq DESC`

const PUT = `INSERT OR REPLACE INTO snapshots (thread, name, version, seq, hash, body, sum)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

/** What is newer than the newest was kept of a history that is gone. */
const FORGET = `DELETE FROM snapshots WHERE thread = :thread AND name = :name AND (
  version <> :version OR seq > :seq OR seq < (
    SELECT min(seq) FROM (
      SELECT seq FROM snapshots WHERE thread = :thread AND name = :name AND seq <= :seq
      ORDER BY seq DESC LIMIT ${SNAPSHOTS_KEPT_MAX})))`

/** The snapshots beside the log at `sqlite:PATH`; a log in memory has no past to be restored from. */
export function openSnapshots(
  url: string,
  options?: SnapshotFileOptions,
): SnapshotFile | undefined {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : ''
  return path === '' ? undefined : new SnapshotFile(`${path}.snapshots`, options)
}

/** A cache that fails is missed by nobody but the clock. */
function ignore(): void {}
