/**
 * The folded thread: everything that is known of a thread at a record, kept so that a long thread is
 * restored at once, and the tags from outside that no model may repeat. It must never append.
 *
 * @module
 */
export { FOREIGN_TAGS_MAX, FOREIGN_TAG_CHARS_MAX, isEcho } from './echoes.ts'
export type { Echoes } from './echoes.ts'
export { HIDDEN_DEPTH_MAX, neutralise } from './hidden-tags.ts'
export {
  FOLDS_VERSION,
  KeptSnapshots,
  SNAPSHOT_CHARS_MAX,
  SNAPSHOT_RECORDS,
} from './kept-snapshots.ts'
export type { SnapshotUse } from './kept-snapshots.ts'
export { emptySnapshot, foldSnapshot } from './snapshot.ts'
export type { Snapshot } from './snapshot.ts'
