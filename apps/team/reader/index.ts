/**
 * Reads what a supervised program says into the team's events: its text, markers, artifacts, screen commands and
 * results. Pure: the same output gives the same events, however it arrives. It must never know a process or a log.
 *
 * @module
 */
export { MEMORY_FOLDER } from './artifact.ts'
export { HOW_TO_SIGN_IN, TeamReader } from './team-reader.ts'
export type { PromptRequest } from './team-reader.ts'
