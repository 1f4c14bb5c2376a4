import type { EventLog, LogError, Shelves } from '../../log/index.ts'

export interface ShelvesOptions {
  /** Overwrites in files what is removed from them. */
  readonly overwrites: boolean
  /** Gets each failure of shelves in files, which does not reach their users. */
  readonly onFault: ((error: LogError) => void) | undefined
}

/** What a database keeps beside its log. */
export interface EngineShelves {
  readonly shelves: Shelves
  /** Quicker to write, and possibly empty after a crash. Absent where nothing outlives the process. */
  readonly unlogged?: Shelves
}

/** A log in the database that an address names, and the way to what the database keeps beside it. */
export interface OpenedEngine {
  readonly log: EventLog
  readonly openShelves: (options: ShelvesOptions) => Promise<EngineShelves>
}
