import { thrownMessage } from '../../json/index.ts'
import { LogError } from '../../log/index.ts'
import type { LogErrorCode } from '../../log/index.ts'

/** Primary result codes, https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CONSTRAINT = 19
const SQLITE_NOTADB = 26
/** The index of the write-ahead log, which even a reader makes, finds no space. */
const SQLITE_IOERR_SHMSIZE = 4_874

const CODES: ReadonlyMap<number, LogErrorCode> = new Map([
  [SQLITE_BUSY, 'busy'],
  [SQLITE_CORRUPT, 'corrupt'],
  [SQLITE_NOTADB, 'corrupt'],
  [SQLITE_FULL, 'storage_full'],
])

/** Maps a failure of the database or a file to the log's code; an unknown one is `io`. */
export function storageError(action: string, cause: unknown): LogError {
  if (cause instanceof LogError) return cause
  const code = isFull(cause) ? 'storage_full' : (CODES.get(primaryCodeOf(cause)) ?? 'io')
  return new LogError(code, `Cannot ${action}: ${thrownMessage(cause)}`, { cause })
}

export function isConstraint(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_CONSTRAINT
}

/** Does work on the database and rejects with what its failure means. */
export function reporting<Result>(action: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw storageError(action, error)
  }
}

function primaryCodeOf(error: unknown): number {
  const isSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isSqlite ? Number(error.errcode) & 0xff : 0
}

function isFull(error: unknown): boolean {
  if (error instanceof Error && 'errcode' in error) return error.errcode === SQLITE_IOERR_SHMSIZE
  return error instanceof Error && 'code' in error && FULL.has(error.code)
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])
