import type { LogError, Store } from '../log/index.ts'
import { openEngine } from './open-log.ts'
import type { OpenLogOptions } from './open-log.ts'
import { ShelvedSnapshots } from './shelved-snapshots.ts'

export interface OpenStoreOptions extends OpenLogOptions {
  /** What may be erased leaves no bytes in the files beside the log. */
  readonly isErasable?: boolean
  /** Gets each failure of what is kept beside the log. */
  readonly onFault?: (error: LogError) => void
}

export interface OpenedStore extends Store {
  close(): Promise<void>
}

/**
 * Opens the log at an address as `openLog` does, and what is kept beside it: in files beside an SQLite file, in
 * the database of Postgres, in memory.
 *
 * @throws {@link LogError} as `openLog` does
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<OpenedStore> {
  const { isErasable = false, onFault, ...logOptions } = options
  const { log, openShelves } = await openEngine(url, logOptions)
  try {
    const { shelves, unlogged } = await openShelves({ overwrites: isErasable, onFault })
    const key = options.anchorKeys?.[0]
    return {
      log,
      shelves,
      snapshots: unlogged && new ShelvedSnapshots(unlogged, { key, onFault }),
      async close() {
        await Promise.all([shelves.close(), unlogged?.close()])
        await log.close()
      },
    }
  } catch (error) {
    await log.close()
    throw error
  }
}
