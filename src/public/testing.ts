/**
 * For tests: a domain played without a log, who may propose what in it, recorded threads decided again and forked, a hostile model let loose on an application, a clock that the test moves,
 * and the contracts that logs and shelves keep. It needs no test runner.
 *
 * @module
 */
export { wholeTree } from '../agents/index.ts'
export type { EndedRun } from '../agents/index.ts'
export { authorityOf, dueDeadlines, dueEffects, given } from '../domain/index.ts'
export type { Scenario, WhenOptions } from '../domain/index.ts'
export { ManualClock } from '../due-work/index.ts'
export { FuzzError, fuzz } from '../fuzz/index.ts'
export type { Finding, FindingKind, FuzzErrorCode, FuzzOptions, FuzzReport } from '../fuzz/index.ts'
export { forkThread, replayed } from '../replay/index.ts'
export type { Fork, ForkLabel, ForkOptions, Replayed, ReplayedOptions } from '../replay/index.ts'
export { eventLogContract, shelvesContract } from '../log/index.ts'
export type { ContractCase } from '../log/index.ts'
