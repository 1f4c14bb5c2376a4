import type { Anchor, ChainVerdict } from './chain.ts'
import type { Moved } from './feed.ts'
import type { Leases } from './leases.ts'
import type { Notes } from './notes.ts'
import type { LogRecord, NewEvent } from './record.ts'

export interface AppendOptions {
  /** The head the writer saw; another head refuses the append with `version_conflict`. */
  readonly expectedVersion?: number
  /**
   * The fence of the lease that has the thread's name. A fence that is not the current one refuses the
   * append with `fenced`, even when the thread holds all ids: work that lost its lease has to stop.
   */
  readonly fence?: number
}

export interface ReadOptions {
  /** Yields records with a greater seq; −1, the default, starts at the beginning. */
  readonly after?: number
  readonly limit?: number
}

/** The heads recorded outside the log; a log in memory has and needs none. */
export interface Witnessed {
  /** The last head that was written down, and when; absent while there is none. */
  readonly anchored?: Anchor & { readonly ts: number }
  /** When the store adopted its keys, and the thread's last record by then: no key vouches for it before. */
  readonly adopted?: { readonly seq: number; readonly ts: number }
  /** How many records of the sound part no head confirms: added by another writer, or by a crash. */
  readonly unanchored: number
  /** The first seq of each range of such records. */
  readonly unanchoredFrom: readonly number[]
}

/** The verdict on heads of a log that needs none. */
export const NOTHING_UNANCHORED = { unanchored: 0, unanchoredFrom: [] } as const

export type Verification = ChainVerdict & Witnessed
export type ThreadVerification = Verification & { readonly thread: string }

/**
 * An append-only log of threads. Every implementation passes {@link eventLogContract}.
 *
 * Within a thread, records are totally ordered and gapless; across threads there is no order.
 */
export interface EventLog {
  /** Names this log's history: a cursor of another epoch means nothing here. */
  readonly epoch: string
  /** The leases of this log; the lease with a thread's name guards appends to that thread. */
  readonly leases: Leases
  /** Without them, the schemas of event types are not compared from one start to the next. */
  readonly notes?: Notes
  /**
   * Appends all events or none and resolves once they are durable, in the order of the calls, with
   * one record for each event. The events are copied before the call returns.
   *
   * An event whose id the thread already holds is answered with its stored record and appends nothing;
   * when all of them are held, whatever `expectedVersion` says. An append of no events is never refused.
   *
   * @throws {@link LogError} `version_conflict`, `fenced`, `invalid_event`, `too_large`, `busy`,
   * `storage_full`, `io`, `closed`
   */
  append(
    thread: string,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<readonly LogRecord[]>
  /** Yields the records that are stored when the reading begins, oldest first, in batches. */
  read(thread: string, options?: ReadOptions): AsyncIterable<readonly LogRecord[]>
  /**
   * Yields the JSON texts of the records that `read` would yield. Only a log that has them at hand has
   * this: to make them of records is up to the reader.
   */
  readJson?(thread: string, options?: ReadOptions): AsyncIterable<readonly string[]>
  /** Catches up and then goes on live, without a gap or a duplicate, until `return()` or `close()`. */
  subscribe(
    thread: string,
    options?: { readonly after?: number },
  ): AsyncIterableIterator<readonly LogRecord[]>
  /**
   * Yields which threads have grown since a position, and then which grow, until `return()` or `close()`.
   * Nothing is skipped. A batch names a thread once, at its newest record in that batch; an empty batch
   * says that everything stored by then has been yielded. Without `after`, and after a position that this
   * log does not hold, it begins at the first record.
   *
   * @throws {@link LogError} `busy`, `closed`
   */
  feed(options?: { readonly after?: string }): AsyncIterableIterator<readonly Moved[]>
  /** The record that the thread holds under this event id, if any: an id is taken for ever. */
  find(thread: string, id: string): Promise<LogRecord | undefined>
  /** Names every thread that holds a record, in order of their first one. */
  threads(): Promise<readonly string[]>
  /** The last seq of a thread, −1 when it is empty. */
  head(thread: string): Promise<number>
  verify(thread: string): Promise<Verification>
  /**
   * Verifies thread after thread: those that are stored, in order of their first record, then those
   * that only the witness knows. `from` leaves out as many.
   */
  verifyAll(options?: { readonly from?: number }): AsyncIterable<ThreadVerification>
  close(): Promise<void>
}
