/**
 * The running team: one session, the program that plays it, and the messages that are written to it one at a
 * time. It must never know HTTP.
 *
 * @module
 */
export { SCRIPTED_MODEL } from './program.ts'
export type { ProgramWish, Programs, TeamProgram } from './program.ts'
export type { Auth } from './sign-in.ts'
export { Team } from './team.ts'
