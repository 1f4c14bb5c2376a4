/** A stored fold of a thread up to a record. */
export interface StoredSnapshot {
  readonly seq: number
  /** Of the record at `seq`, which covers the whole history up to there. */
  readonly hash: string
  readonly body: string
}

/** Who folded: a body is of use only to the same fold in the same version. */
export interface SnapshotKey {
  readonly name: string
  readonly version: string
}

/**
 * Where folded threads are kept beside a log, so that they need not be folded from their beginning. It is
 * a cache: it may have forgotten anything, its failures are not reported, and its reader holds the
 * hash against the log.
 */
export interface Snapshots {
  /** The latest one that goes up to `upTo` or less. */
  latest(
    thread: string,
    key: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined>
  put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void>
}
