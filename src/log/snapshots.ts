/** A stored fold of a thread up to a record. */
export interface StoredSnapshot {
  readonly seq: number
  /** Of the record at `seq`, which covers the whole history up to there. */
  readonly hash: string
  readonly body: string
}

/** The fold and its version: only the same fold in the same version can use a body. */
export interface SnapshotKey {
  readonly name: string
  readonly version: string
}

/**
 * Stores folded threads beside a log, so that they need not be folded from their beginning. It is
 * a cache: entries may be missing, its failures are not reported, and its reader holds the
 * hash against the log.
 */
export interface Snapshots {
  /** The latest one that goes up to `upTo` or less. */
  latest(
    thread: string,
    key: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined>
  put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void>
  /** Removes all of a thread. */
  forget(thread: string): Promise<void>
}
