import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LogError, NoteChange } from '../../log/index.ts'
import type { HeadsTerms } from '../heads/heads-file.ts'
import { keysIn } from '../heads/heads-options.ts'
import type { HeadsOptions } from '../heads/heads-options.ts'
import {
  makePrivateDatabase,
  makePrivateFile,
  makePrivateFolderOf,
  requireFile,
} from '../files/private-file.ts'
import { noteKey } from '../sql/rows.ts'
import { storageError } from '../files/storage-error.ts'
import { openToRead } from '../sqlite/sqlite-reader.ts'
import { epochOf, makeDurable, takeOver } from '../sqlite/sqlite-schema.ts'
import { holdWriteLock } from './write-lock.ts'

/** The time that opening waits for another process's transaction on the file. */
const OPEN_WAIT_MAX_MS = 2_000

export interface ClaimedStore {
  readonly path: string
  readonly epoch: string
  /** Names this writer: the next one to take the database over has another fence. */
  fence: string
  /** Why it can only be read until {@link takeDatabase} succeeds. */
  full?: LogError
  readonly heads: HeadsTerms
}

/**
 * Makes this process the only writer of a database, which is created when it is not there.
 *
 * @throws {@link LogError} or an error of the database or a file
 */
export function claimStore(
  given: string,
  options: HeadsOptions,
  keep: <Part extends { close(): void }>(part: Part) => Part,
): ClaimedStore & Pick<Taken, 'wasSigned'> {
  const { headsFile } = options
  const keys = keysIn(options)
  makePrivateFolderOf(given)
  const path = realPathOf(given)
  requireFile(path, 'the log')
  const headsPath = headsFile === undefined ? `${path}.heads` : resolve(headsFile)
  makePrivateFolderOf(headsPath)
  requireFile(headsPath, 'the heads')
  makePrivateFile(`${path}.lock`)
  keep(holdWriteLock(path))
  makePrivateDatabase(path)
  const claim = { path, ...claimDatabase(path, keep) }
  return { ...claim, heads: { path: headsPath, keys, epoch: claim.epoch } }
}

type Taken = ReturnType<typeof takeOver>
type DatabaseClaim = Taken & Pick<ClaimedStore, 'full'>

function claimDatabase(path: string, keep: (part: DatabaseSync) => DatabaseSync): DatabaseClaim {
  try {
    const { database, ...taken } = takeDatabase(path)
    keep(database)
    return taken
  } catch (error) {
    const full = storageError(`open "${path}"`, error)
    if (full.code !== 'storage_full') throw error
    const database = openToRead(path)
    try {
      // Whether it was signed is read again when there is space to take it over.
      return { epoch: epochOf(database, path), fence: '', wasSigned: true, full }
    } catch {
      // There is no log yet.
      throw error
    } finally {
      database.close()
    }
  }
}

/** Makes this process the writer of a database whose lock it holds. */
export function takeDatabase(path: string) {
  const database = new DatabaseSync(path, { timeout: OPEN_WAIT_MAX_MS })
  try {
    return { database, ...takeOver(database, path) }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Keeps on record that a key has signed the heads, so that unsigned ones are not taken for the first ones. */
export function markSigned(path: string): void {
  changeMeta(path, (database) => {
    database.exec("INSERT OR IGNORE INTO meta VALUES ('signed', 'yes')")
  })
}

/** Changes a note of a store whose lock this process holds, if it is still what its writer read. */
export function replaceNote(path: string, name: string, { before, after }: NoteChange): boolean {
  return changeMeta(path, (database) => {
    const key = noteKey(name)
    const { changes } =
      before === undefined
        ? database.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)').run(key, after)
        : database
            .prepare('UPDATE meta SET value = ? WHERE key = ? AND value = ?')
            .run(after, key, before)
    return changes === 1
  })
}

function changeMeta<Result>(path: string, change: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path, { timeout: OPEN_WAIT_MAX_MS })
  try {
    makeDurable(database, path)
    return change(database)
  } finally {
    database.close()
  }
}

/** Returns one name per file, so that two paths to it use the same lock. */
function realPathOf(path: string): string {
  const real = join(realpathSync(dirname(path)), basename(path))
  return existsSync(real) ? realpathSync(real) : real
}
