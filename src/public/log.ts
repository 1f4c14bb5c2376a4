/**
 * The log by itself: appends to threads, reads and subscribes to them, follows the feed, and verifies the hash
 * chain; the parts that a backend of your own is made of.
 *
 * @module
 */
export {
  FEED_PAGE_RECORDS,
  GENESIS,
  LiveFeed,
  LiveTail,
  LogError,
  MemoryLog,
  MemoryNotes,
  MemoryShelves,
  NOTHING_UNANCHORED,
  ProcessLeases,
  StoredLog,
  collectRows,
  draftAll,
  place,
  shelfNamed,
  shelvesNamed,
  storedJson,
  unseal,
  verifyChain,
} from '../log/index.ts'
export type {
  AppendOptions,
  Appended,
  Backend,
  EventLog,
  Feed,
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
  Sealed,
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
