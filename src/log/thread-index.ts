import type { IndexValue, ValueRange } from './index-key.ts'

/** A thread as an index holds it. */
export interface IndexedThread {
  readonly thread: string
  /** The application that the thread belongs to; absent when it belongs to none. */
  readonly app?: string
  /** The seq of the record up to which the thread was folded. */
  readonly head: number
  /** When that record was appended, in milliseconds since the epoch; absent when it could not be read. */
  readonly ts?: number
  /** By name; absent when its application declares none, and when they could not be computed. */
  readonly values?: Readonly<Record<string, IndexValue>>
}

export interface RankedThread extends IndexedThread {
  /** Rises with each thread that is put: the thread that moved last has the highest. */
  readonly rank: number
}

export interface ThreadQuery {
  readonly app?: string | undefined
  /** By name, the values of which a thread must have one, or the range that its value must lie in. */
  readonly where?: Readonly<Record<string, readonly IndexValue[] | ValueRange>>
  /** Lists the threads that have a value of this name, by its {@link indexKey} and then by rank. */
  readonly orderBy?: ThreadOrder | undefined
  /** Lists only what comes after this place in the order: without `orderBy`, threads of a smaller rank. */
  readonly after?: ThreadPlace | undefined
  readonly limit: number
}

export interface ThreadOrder {
  readonly name: string
  /** Of the keys and of the ranks. */
  readonly direction: 'asc' | 'desc'
}

/** The place of a thread in a list. */
export interface ThreadPlace {
  readonly rank: number
  /** Of the value that the list is ordered by; the empty text where it is ordered by rank alone. */
  readonly key: string
}

/** The progress of an index. */
export interface IndexState {
  /** Names what the index holds, from one `begin` to the next. */
  readonly generation: string
  /** The position in the log's feed; the empty text before the first put. */
  readonly position: string
}

/**
 * The threads of a log with values of their states, computed from the log. An index may lose its rows
 * at any time: then it holds no generation, and its reader computes the rows again from the whole feed.
 * Every implementation passes {@link threadIndexContract}.
 */
export interface ThreadIndex {
  /** Returns `undefined` when the index has not begun. */
  load(): Promise<IndexState | undefined>
  /** Removes all threads and begins a generation. */
  begin(generation: string): Promise<void>
  /**
   * Saves the position and the threads, in rising rank, together or not at all. Returns false, and
   * changes nothing, when the index does not hold this generation.
   */
  put(state: IndexState, threads: readonly IndexedThread[]): Promise<boolean>
  /**
   * Without `orderBy` the highest rank first; `undefined` when the index does not hold this generation. Texts
   * are at most {@link INDEX_TEXT_CHARS_MAX} characters long.
   */
  list(generation: string, query: ThreadQuery): Promise<readonly RankedThread[] | undefined>
  /** Counts the threads of a list without an end; `undefined` as `list` returns it. */
  count(generation: string, query: Pick<ThreadQuery, 'app' | 'where'>): Promise<number | undefined>
  /** Leaves nothing of earlier values in its files, as far as it can; absent where it has no files. */
  scrub?(): Promise<void>
}
