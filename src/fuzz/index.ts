/**
 * Finds what an application does that nobody meant: random people and a hostile model against its declarations, in
 * memory, with the shortest steps that show each fault.
 *
 * Invariant: it drives the application by the roads that people and models have, and does no work in the world. It
 * must never know a domain of its own.
 *
 * @module
 */
export { FUZZ_RUNS_DEFAULT, FUZZ_RUNS_MAX, fuzz } from './fuzz.ts'
export type { FuzzOptions, FuzzReport } from './fuzz.ts'
export type { Finding, FindingKind } from './finding.ts'
export { FuzzError } from './fuzz-error.ts'
export type { FuzzErrorCode } from './fuzz-error.ts'
