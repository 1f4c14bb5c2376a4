import type { EventLog } from './event-log.ts'
import type { Shelves } from './shelves.ts'
import type { Snapshots } from './snapshots.ts'

/** A log and what is kept beside it. */
export interface Store {
  readonly log: EventLog
  /** Of the cursors of consumers and the index of threads; without them each start computes both again. */
  readonly shelves?: Shelves | undefined
  /** Used by applications that name their reducers. */
  readonly snapshots?: Snapshots | undefined
}
