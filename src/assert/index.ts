/**
 * The two kinds of errors. An invariant that does not hold is a bug of ours: nothing catches it below the edge of
 * the process, and it is checked in production. Everything else that a caller can meet has a stable code.
 *
 * @module
 */
export { InvariantError, assert } from './assert.ts'
export { ThroughlineError } from './throughline-error.ts'
