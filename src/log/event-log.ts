import type { Moved } from './feed.ts'
import type { LogRecord, NewEvent } from './record.ts'

export interface AppendOptions {
  /** The head the writer saw; another head refuses the append with `version_conflict`. */
  readonly expectedVersion?: number
}

export interface ReadOptions {
  /** Yields records with a greater seq; −1, the default, starts at the beginning. */
  readonly after?: number
  readonly limit?: number
}

/** `firstBadSeq` is the first position whose record is missing, altered or not as anchored. */
export type Verification =
  | { readonly ok: true; readonly head: number }
  | { readonly ok: false; readonly head: number; readonly firstBadSeq: number }

/**
 * An append-only log of threads. Every implementation passes {@link eventLogContract}.
 *
 * Within a thread, records are totally ordered and gapless; across threads there is no order.
 */
export interface EventLog {
  /** Names this log's history: a cursor of another epoch means nothing here. */
  readonly epoch: string
  /**
   * Appends all events or none and resolves once they are durable, in the order of the calls, with
   * one record for each event. The events are copied before the call returns.
   *
   * An event whose id the thread already holds is answered with its stored record and appends nothing;
   * when all of them are held, whatever `expectedVersion` says.
   *
   * @throws {@link LogError} `version_conflict`, `invalid_event`, `too_large`, `busy`, `storage_full`, `io`, `closed`
   */
  append(
    thread: string,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<readonly LogRecord[]>
  /** Yields what is stored when the reading begins, oldest first, in batches. */
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
  close(): Promise<void>
}
