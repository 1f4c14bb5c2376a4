/**
 * Consumers of the log's feed: each looks at every thread that has grown, and again when it says that something is
 * due.
 *
 * Invariant: a thread that grew is looked at at least once after its last record, whatever stopped in between. It
 * must never know what a look does.
 *
 * @module
 */
export { consume } from './consume.ts'
export type { ConsumedLog, ConsumeOptions } from './consume.ts'
export type { Consumer } from './consumer.ts'
export { savedRows } from './saved-rows.ts'
export type { SavedRows } from './saved-rows.ts'
export type { Look } from './looks.ts'
