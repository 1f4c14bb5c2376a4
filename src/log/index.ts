/**
 * The append-only log: what a record is, how it is sealed into its thread's hash chain, and what every log
 * promises, with its feed and its leases; how one process shares a lease; the shelves beside a log, with the
 * cursors and the index of threads on them; the log and the shelves that live in memory, and their contracts.
 *
 * Invariant: within a thread, seqs are gapless from 0, an id is held once and for ever, every record's hash
 * covers the stored text of all records before it, and no append under an ended fence is stored.
 * It must never know a disk, a clock, a source of chance, or what the events mean.
 *
 * @module
 */
export { draftAll, place } from './append.ts'
export type { Appended, Target } from './append.ts'
export { BATCH_CHARS_MAX, BATCH_RECORDS_MAX, collectRows, readBatches } from './batch.ts'
export type { Batch } from './batch.ts'
export { ChainCheck, verifyChain } from './chain.ts'
export type { Anchor, ChainVerdict } from './chain.ts'
export { THREAD_CHARS_MAX, faultOf, isThreadName, isUuid } from './draft.ts'
export { copyLog } from './copy-log.ts'
export { ShelvedCursors } from './cursors.ts'
export type { Cursors, ConsumerRow, OpenRow } from './cursors.ts'
export { encodeJson } from './encode-json.ts'
export type { Draft, Sources } from './draft.ts'
export { NOTHING_UNANCHORED } from './event-log.ts'
export type {
  AppendOptions,
  EventLog,
  ReadOptions,
  ThreadVerification,
  Verification,
  Witnessed,
} from './event-log.ts'
export { placeIn, positionOf } from './feed-place.ts'
export type { FeedPlace } from './feed-place.ts'
export { FEEDS_MAX, FEED_PAGE_RECORDS, LiveFeed } from './feed.ts'
export type { FeedRow, Moved } from './feed.ts'
export { Holdings, holdNow } from './holdings.ts'
export type { Holding } from './holdings.ts'
export { eventLogContract } from './log.contract.ts'
export type { ContractCase } from './log.contract.ts'
export { INDEX_TEXT_CHARS_MAX, indexKey } from './index-key.ts'
export type { IndexValue, ValueRange } from './index-key.ts'
export { keysContract } from './keys.contract.ts'
export type { ErasedSubject, Erasure, KeyState, Keys, SubjectKey } from './keys.ts'
export { newSubjectKey } from './keys.ts'
export { HeldLease, OwnLeases, ProcessLeases, fencedOff } from './leases.ts'
export type { Lease, Leases } from './leases.ts'
export { LogError, erasedThread, mayPass } from './log-error.ts'
export type { LogErrorCode } from './log-error.ts'
export { MemoryKeys } from './memory-keys.ts'
export { MemoryLog } from './memory-log.ts'
export type { MemoryLogOptions } from './memory-log.ts'
export { MemoryNotes } from './memory-notes.ts'
export { MemoryShelves } from './memory-shelves.ts'
export type { NoteChange, Notes } from './notes.ts'
export { SOURCES, encodeOrigin } from './origin.ts'
export { recordAt } from './record-at.ts'
export type { CommitMark, LogRecord, NewEvent, Origin, Person, Sha256, Source } from './record.ts'
export { GENESIS, recordJson, storedJson, unseal } from './seal.ts'
export type { Sealed } from './seal.ts'
export { shelvesContract } from './shelves.contract.ts'
export { shelfNamed, shelvesNamed } from './shelves.ts'
export type {
  OnShelf,
  ShelfChange,
  ShelfEntry,
  ShelfListing,
  ShelfPlace,
  ShelfQuery,
  Shelves,
} from './shelves.ts'
export type { SnapshotKey, Snapshots, StoredSnapshot } from './snapshots.ts'
export type { Store } from './store.ts'
export { StoredLog } from './stored-log.ts'
export type { Backend, Feed } from './stored-log.ts'
export { Subscription } from './subscription.ts'
export { LiveTail } from './tail.ts'
export { ThreadIndex } from './thread-index.ts'
export type {
  IndexState,
  IndexedThread,
  RankedThread,
  ThreadOrder,
  ThreadPlace,
  ThreadQuery,
} from './thread-index.ts'
