/**
 * What if: stored threads decided again by a definition, forked before any record, and asked again.
 *
 * Invariant: nothing here appends to the log that it reads, and no tool or effect of a fork does work in the
 * world. It must never know HTTP or the command line.
 *
 * @module
 */
export { decideAgain } from './decide-again.ts'
export { appsIn, isDomain, ofDomain } from './definition.ts'
export { watchImpurity } from './impurity.ts'
export type { ImpurityWatch } from './impurity.ts'
export type { Definition } from './definition.ts'
export { ASK_TIMES_MAX } from './ask-again.ts'
export { askStored } from './ask-store.ts'
export { forkThread } from './fork.ts'
export type { Fork, ForkLabel, ForkOptions } from './fork.ts'
export { REPLAY_WORKERS_MAX } from './replay-pool.ts'
export { ReplayError } from './replay-error.ts'
export { replayStored } from './replay-store.ts'
export { replayed } from './replayed.ts'
export type { Replayed, ReplayedOptions } from './replayed.ts'
export { isExport, openStoredThreads, recordsOf } from './stored-threads.ts'
export { loadApps } from './load-apps.ts'
