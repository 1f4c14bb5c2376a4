/**
 * Invariants: the one channel for bugs. An assertion that fails means our own code is wrong;
 * nothing catches it below the edge of the process, and it runs in production.
 * It must never be used for bad input or for a failing world.
 *
 * @module
 */
export { InvariantError, assert, assertNever } from './assert.ts'
