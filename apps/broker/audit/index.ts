/**
 * A case as an auditor reads it: the story its records tell, what it shows of how it was conducted, and
 * whether the model would present the same disclosures again. Reads the log only; nothing here appends.
 *
 * @module
 */
export { compliance } from './compliance.ts'
export type { ComplianceSummary } from './compliance.ts'
export { REPLAY_RUNS_DEFAULT, REPLAY_RUNS_MAX, replayDisclosures } from './disclosure-replay.ts'
export type { DisclosureReplay, ReplayParts, ReplaySummary } from './disclosure-replay.ts'
export { timeline } from './timeline.ts'
export type { TimelineEntry } from './timeline.ts'
