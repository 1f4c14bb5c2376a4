/**
 * Functions that differ between Node and browsers: SHA-256, ciphers, chance in ids and keys, timers that keep no process
 * alive, waiting for other work, warnings, and the version of Node.
 *
 * Invariant: what a browser's bundle holds of this room imports no module of Node's.
 * It must never know a log, a thread or a file.
 *
 * @module
 */
export { nextTurn, startIdleInterval, startIdleTimer } from './timers.ts'
export { decrypt, encrypt } from '#cipher'
export type { Ciphertext } from './cipher.ts'
export { sha256 } from '#sha256'
export { uuidv7, uuidv7Source } from './uuidv7.ts'
export { randomBytes } from './chance.ts'
export { nodeTooOld } from './node-version.ts'
export { inBackground } from './in-background.ts'
export { emitWarning } from './warning.ts'
