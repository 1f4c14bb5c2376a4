/** A thread in which a consumer of the feed has something open. */
export interface OpenRow {
  readonly thread: string
  /** When it is next due, in milliseconds since the epoch; 0 is at once. */
  readonly dueAt: number
}

/** A consumer's note on a thread that grew; without `dueAt` the thread has no open work. */
export interface ConsumerRow {
  readonly thread: string
  readonly dueAt: number | undefined
}

/**
 * The positions and notes of a feed's consumers, stored beside a log. It is a cache: entries may be missing
 * and failures are not reported. A consumer without a cursor reads the feed from its beginning.
 */
export interface Cursors {
  load(consumer: string): Promise<string | undefined>
  /** The rows that are open, those that are due first in front. */
  open(consumer: string): Promise<readonly OpenRow[]>
  /** Saves the position and the rows together or not at all. */
  save(consumer: string, position: string, rows: readonly ConsumerRow[]): Promise<void>
}
