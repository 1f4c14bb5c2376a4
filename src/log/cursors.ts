/** A thread in which a consumer of the feed has something open. */
export interface OpenRow {
  readonly thread: string
  /** When it is next due, in milliseconds since the epoch; 0 is at once. */
  readonly dueAt: number
}

/** What a consumer found in a thread that moved; without `dueAt` nothing is open there any more. */
export interface ConsumerRow {
  readonly thread: string
  readonly dueAt: number | undefined
}

/**
 * How far the consumers of a feed have come, and what they found, kept beside a log. It may have forgotten
 * anything, its failures are not reported: a consumer without a cursor reads the feed from its beginning.
 */
export interface Cursors {
  load(consumer: string): Promise<string | undefined>
  /** The rows that are open, those that are due first in front. */
  open(consumer: string): Promise<readonly OpenRow[]>
  /** Saves the position and the rows together or not at all. */
  save(consumer: string, position: string, rows: readonly ConsumerRow[]): Promise<void>
}
