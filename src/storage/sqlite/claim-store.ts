import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { HeadsTerms } from '../heads/heads-file.ts'
import type { HeadsOptions } from '../heads/heads-options.ts'
import {
  makePrivateDatabase,
  makePrivateFile,
  makePrivateFolderOf,
  requireFile,
} from './private-file.ts'
import { takeOver } from './sqlite-schema.ts'
import { holdWriteLock } from '../commit/write-lock.ts'

/** The time that opening waits for another process's transaction on the file. */
const OPEN_WAIT_MAX_MS = 2_000

export interface ClaimedStore {
  readonly path: string
  readonly epoch: string
  /** Names this writer: the next one to take the database over has another fence. */
  readonly fence: string
  readonly heads: HeadsTerms
}

/**
 * Makes this process the only writer of a database, which is created when it is not there.
 *
 * @throws {@link LogError} or an error of the database or a file
 */
export function claimStore(
  given: string,
  { anchorKeys = [], headsFile }: HeadsOptions,
  keep: <Part extends { close(): void }>(part: Part) => Part,
): ClaimedStore {
  makePrivateFolderOf(given)
  const path = realPathOf(given)
  const headsPath = headsFile === undefined ? `${path}.heads` : resolve(headsFile)
  makePrivateFolderOf(headsPath)
  requireFile(headsPath)
  makePrivateFile(`${path}.lock`)
  keep(holdWriteLock(path))
  makePrivateDatabase(path)
  const database = keep(new DatabaseSync(path, { timeout: OPEN_WAIT_MAX_MS }))
  const { epoch, fence } = takeOver(database, path)
  return { path, epoch, fence, heads: { path: headsPath, keys: anchorKeys, epoch } }
}

/** Returns one name per file, so that two paths to it use the same lock. */
function realPathOf(path: string): string {
  const real = join(realpathSync(dirname(path)), basename(path))
  return existsSync(real) ? realpathSync(real) : real
}
