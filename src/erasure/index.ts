/**
 * Sealing: what is personal in a record is stored under the key of its subject, and opened for readers as long
 * as there is that key.
 *
 * Invariant: nothing personal of a record that is sealed reaches the log in clear.
 * It must never know where a log or its keys lie, nor who reads.
 *
 * @module
 */
export { KeyRing } from './key-ring.ts'
export { SealedLog } from './sealed-log.ts'
export { SealedSnapshots } from './sealed-snapshots.ts'
export { memoryLogKeys } from './memory-log-keys.ts'
export { closedRecord, isPersonal, openRecord, sealIn } from './sealed-data.ts'
export { redactor } from './redactor.ts'
export type { Redactor } from './redactor.ts'
