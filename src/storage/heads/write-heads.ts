import type { LogError } from '../../log/index.ts'
import { storageError } from '../files/storage-error.ts'
import type { Move } from './anchored-head.ts'
import type { HeadsFile } from './heads-file.ts'

/**
 * Stores the heads of a commit outside the database, before any of its records is acknowledged. Returns
 * a failure after which nothing more may be acknowledged.
 */
export function writeHeads(
  headsFile: HeadsFile,
  moved: Iterable<readonly [thread: string, move: Move]>,
): LogError | null {
  try {
    headsFile.add(moved)
    return null
  } catch (error) {
    const failure = storageError('write down the heads', error)
    // On a full disk they wait for space, as the appends do.
    return failure.code === 'storage_full' ? null : failure
  }
}
