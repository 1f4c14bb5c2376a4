/**
 * The rules of AG-UI 1.0 for a stream of events, from any sender: members, chunk forms, order. What passes
 * may be appended to a log or shown. It must never know what an event means to an application.
 *
 * @module
 */
export { WireError } from './wire-error.ts'
export type { WireErrorCode } from './wire-error.ts'

export { enforceInput } from './run-input.ts'

export { OPEN_ITEMS_MAX } from './run-verifier.ts'
export { StreamVerifier, verifyRun } from './verify-run.ts'
export type { RemovedMembers, VerifyOptions } from './verify-run.ts'
