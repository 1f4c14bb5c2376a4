/**
 * Durable logs: a log in one SQLite file, with group commit, one writer, and heads anchored
 * outside the database, or in a Postgres database that several processes share.
 *
 * Invariant: every acknowledged record is on the disk; after an unknown failure nothing is
 * appended any more.
 * It must never know what the events mean, nor HTTP, nor the environment.
 *
 * @module
 */
export { acceptHeads } from './accept-heads.ts'
export type { AcceptedHeads } from './accept-heads.ts'
export { syncFolder } from './heads/sync-folder.ts'
export type { HeadsOptions } from './heads/heads-options.ts'
export { openLog } from './open-log.ts'
export type { OpenLogOptions } from './open-log.ts'
export { hasKeysBeside, keysBeside, openKeys } from './open-keys.ts'
export { openLogToRead } from './open-to-read.ts'
export type { ReadLog } from './open-to-read.ts'
export { openStore } from './open-store.ts'
export type { OpenStoreOptions, OpenedStore } from './open-store.ts'
export { ShelvedSnapshots } from './shelved-snapshots.ts'
export { SqliteShelves } from './sqlite/sqlite-shelves.ts'
export { sha256, uuidv7, uuidv7Source } from '../platform/index.ts'
export { UnknownKeyError } from './heads/unknown-key-error.ts'
