/**
 * The log by itself: appends to threads, reads and subscribes to them, follows the feed, and verifies the hash
 * chain.
 *
 * @module
 */
export {
  LogError,
  MemoryLog,
  MemoryShelves,
  shelfNamed,
  shelvesNamed,
  verifyChain,
} from '../log/index.ts'
export type {
  AppendOptions,
  Appended,
  EventLog,
  Lease,
  Leases,
  LogErrorCode,
  LogRecord,
  MemoryLogOptions,
  Moved,
  NewEvent,
  OnShelf,
  Origin,
  ReadOptions,
  Sha256,
  ShelfChange,
  ShelfEntry,
  ShelfListing,
  ShelfPlace,
  ShelfQuery,
  Shelves,
  Source,
  Store,
  ThreadVerification,
  Verification,
} from '../log/index.ts'
export { sha256, uuidv7 } from '../platform/index.ts'
export { openLog } from '../open-log.ts'
export type { OpenLogOptions } from '../storage/index.ts'
