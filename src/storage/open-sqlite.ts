import { LogError, StoredLog } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import { claimStore, markSigned, takeDatabase } from './commit/claim-store.ts'
import { adoptionWarning } from './heads/heads-options.ts'
import type { HeadsOptions } from './heads/heads-options.ts'
import { HeadsFile } from './heads/heads-file.ts'
import { storageError } from './files/storage-error.ts'
import { SqliteBackend } from './sqlite-backend.ts'
import type { SqliteBackendOptions } from './sqlite-backend.ts'
import { SqliteReader } from './sqlite/sqlite-reader.ts'

/** @throws {@link LogError} `locked`, `corrupt`, `configuration`, `storage_full`, `io` */
export function openSqlite(given: string, options: HeadsOptions & SqliteBackendOptions): EventLog {
  const opened: { close(): void }[] = []
  const keep = <Part extends { close(): void }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  try {
    const store = claimStore(given, options, keep)
    const held = [...opened]
    const reader = keep(new SqliteReader(store.path))
    const headsFile = keep(new HeadsFile(store.heads))
    const openHeads = (wasSigned: boolean): void => {
      const unsigned = wasSigned ? 'refuse' : (options.unsignedHeads ?? 'adopt')
      const holds = reader.isEmpty() ? 'is empty' : 'holds records'
      if (headsFile.open(holds, unsigned)) options.onWarning(adoptionWarning(store.heads.path))
      if (store.heads.keys.length > 0 && !wasSigned) markSigned(store.path)
    }
    const takeSpace = (): void => {
      const { database, fence, wasSigned } = takeDatabase(store.path)
      try {
        reader.reopen()
        openHeads(wasSigned)
      } catch (error) {
        database.close()
        throw error
      }
      held.push(database)
      store.fence = fence
      delete store.full
    }
    if (!store.full) openHeads(store.wasSigned)
    else
      options.onWarning(`${store.full.message}; it can be read, and takes appends with the space`)
    const parts = { ...options, store, reader, held, headsFile, takeSpace }
    return new StoredLog(new SqliteBackend(parts))
  } catch (error) {
    for (const part of opened.toReversed()) part.close()
    throw openingError(given, error)
  }
}

export function openingError(path: string, error: unknown): LogError {
  const failure = storageError(`open "${path}"`, error)
  if (failure.code !== 'busy') return failure
  return new LogError('locked', `Cannot open "${path}": another process holds a lock on it`, {
    cause: error,
  })
}
