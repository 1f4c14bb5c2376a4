import { LogError } from '../log/index.ts'
import type { Cursors, EventLog, Snapshots, ThreadIndex } from '../log/index.ts'
import { openCursors } from './sqlite/cursors.ts'
import { openLog } from './open-log.ts'
import type { OpenLogOptions } from './open-log.ts'
import { PostgresLog } from './postgres/postgres-log.ts'
import { openSnapshots } from './sqlite/snapshots.ts'
import { openThreadIndex } from './sqlite/thread-index.ts'

export interface OpenStoreOptions extends OpenLogOptions {
  /** Snapshots are kept where folds are named: any other fold may be another one next time. */
  readonly folds: 'named' | 'unnamed'
  /** What may be erased must leave no bytes in the caches. */
  readonly isErasable?: boolean
  /** Gets each failure of the caches beside the log. */
  readonly onFault?: (error: LogError) => void
}

/** A log and its caches: in files beside an SQLite file, in the database of Postgres. */
export interface OpenedStore {
  readonly log: EventLog
  readonly cursors: Cursors | undefined
  readonly threadIndex: ThreadIndex | undefined
  readonly snapshots: Snapshots | undefined
  close(): Promise<void>
}

/**
 * Opens the log at an address as `openLog` does, and its caches.
 *
 * @throws {@link LogError} as `openLog` does
 */
export async function openStore(url: string, options: OpenStoreOptions): Promise<OpenedStore> {
  const { folds, isErasable = false, onFault, ...logOptions } = options
  const log = await openLog(url, logOptions)
  const keepsSnapshots = folds === 'named'
  if (log instanceof PostgresLog) {
    const caches = log.sideStores(onFault ?? ignore, options.anchorKeys?.[0])
    const snapshots = keepsSnapshots ? caches.snapshots : undefined
    return { log, ...caches, snapshots, close: () => log.close() }
  }
  const snapshots = keepsSnapshots ? openSnapshots(url) : undefined
  const cursors = openCursors(url, onFault)
  const threadIndex = openThreadIndex(url, onFault, { overwrites: isErasable })
  return {
    log,
    snapshots,
    cursors,
    threadIndex,
    async close() {
      snapshots?.close()
      cursors?.close()
      threadIndex?.close()
      await log.close()
    },
  }
}

function ignore(): void {}
