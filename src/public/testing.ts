/**
 * For tests: a domain played without a log, a clock that the test moves, and the contracts that logs and indexes
 * keep. It needs no test runner.
 *
 * @module
 */
export { wholeTree } from '../agents/index.ts'
export type { EndedRun } from '../agents/index.ts'
export { dueDeadlines, dueEffects, given } from '../domain/index.ts'
export type { Scenario, WhenOptions } from '../domain/index.ts'
export { ManualClock } from '../due-work/index.ts'
export { replayed } from '../replay/index.ts'
export type { Replayed, ReplayedOptions } from '../replay/index.ts'
export { eventLogContract, threadIndexContract } from '../log/index.ts'
export type { ContractCase } from '../log/index.ts'
