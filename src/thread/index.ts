/**
 * The folded thread: everything that is known of a thread at a record, cached in memory and kept so
 * that a long thread is restored at once, and the tags from outside that no model may repeat. It must
 * never append.
 *
 * @module
 */
export { AppendObservers } from './append-observers.ts'
export {
  ENDED_KEPT_MAX,
  NO_DUE_WORK,
  REQUESTS_KEPT_MAX,
  dueWorkKey,
  foldDueWork,
} from './effect-progress.ts'
export type { EffectProgress } from './effect-progress.ts'
export { FOREIGN_TAGS_MAX, FOREIGN_TAG_CHARS_MAX, isForeign } from './foreign-tags.ts'
export type { ForeignTags } from './foreign-tags.ts'
export { neutralise } from './hidden-tags.ts'
export { FOLDS_VERSION, SNAPSHOT_RECORDS } from './kept-snapshots.ts'
export type { SnapshotUse } from './kept-snapshots.ts'

export { NewestMap } from './newest-map.ts'
export { Pace } from './pace.ts'
export { foldCauses } from './snapshot.ts'
export type { Snapshot } from './snapshot.ts'
export { ThreadCache } from './thread-cache.ts'
export type { ThreadCacheParts } from './thread-cache.ts'
