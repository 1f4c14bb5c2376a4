/**
 * A case as an auditor reads it: the story its records tell, what it shows of how it was conducted, and
 * whether the model would present the same disclosures again. Reads the log only; nothing here appends.
 *
 * @module
 */
export { compliance } from './compliance.ts'
export { REPLAY_RUNS_DEFAULT, REPLAY_RUNS_MAX, replayDisclosures } from './disclosure-replay.ts'
export type { ReplayParts } from './disclosure-replay.ts'
export { timeline } from './timeline.ts'
