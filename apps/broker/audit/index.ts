/**
 * The audit of a case: its story in sentences, its compliance summary, and replays of its disclosures
 * with the model. Reads the log only; nothing here appends.
 *
 * @module
 */
export { compliance } from './compliance.ts'
export type { ComplianceSummary } from './compliance.ts'
export { REPLAY_RUNS_DEFAULT, REPLAY_RUNS_MAX, replayDisclosures } from './disclosure-replay.ts'
export type { ReplayParts, ReplaySummary } from './disclosure-replay.ts'
export { timeline } from './timeline.ts'
