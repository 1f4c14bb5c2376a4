import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { LogError } from '../../log/index.ts'
import { storageError } from './storage-error.ts'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700
const PERMISSIONS = 0o777

/**
 * Creates a file that only its owner can read, or takes the others' rights from one that is there.
 *
 * A file that is there is never opened: closing it would end the locks that SQLite holds on it.
 */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return makePrivate(path)
  const descriptor = openSync(path, 'wx', OWNER_ONLY)
  try {
    // The umask may have taken away the owner's own rights.
    fchmodSync(descriptor, OWNER_ONLY)
  } finally {
    closeSync(descriptor)
  }
}

/** Like {@link makePrivateFile} for a database; SQLite gives new files beside it the same mode. */
export function makePrivateDatabase(path: string): void {
  makePrivateFile(path)
  for (const beside of [`${path}-wal`, `${path}-shm`]) if (existsSync(beside)) makePrivate(beside)
}

/** @throws {@link LogError} */
export function makePrivateFolderOf(path: string): void {
  const folder = dirname(path)
  const action = `make the folder "${folder}" for "${path}"`
  try {
    makePrivateFolder(folder)
  } catch (cause) {
    const isBelowFile = cause instanceof Error && 'code' in cause && BELOW_A_FILE.has(cause.code)
    if (!isBelowFile) throw storageError(action, cause)
    const why = 'a part of that path is a file; name another place'
    throw new LogError('configuration', `Cannot ${action}: ${why}`, { cause })
  }
}

const BELOW_A_FILE: ReadonlySet<unknown> = new Set(['ENOTDIR', 'EEXIST'])

/**
 * Refuses what would not become a file: a device would be replaced, and a folder cannot be written.
 *
 * @throws {@link LogError} `configuration`
 */
export function requireFile(path: string, kept: 'the heads' | 'the log'): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() ?? true) return
  throw new LogError(
    'configuration',
    `Cannot keep ${kept} in "${path}": it is not a file; name a file that may be made there`,
  )
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER })
}

function makePrivate(path: string): void {
  const { mode } = statSync(path)
  if (statSync(path).isFile() && (mode & PERMISSIONS) !== OWNER_ONLY) chmodSync(path, OWNER_ONLY)
}
