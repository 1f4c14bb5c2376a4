/**
 * The turn: what people did, the rules, the model, what it proposed, the rules again, and the work they
 * start, in that order and on the record between one RUN_STARTED and one terminal record. It must never
 * decide what an event means, or answer from anything but the log.
 *
 * @module
 */
export { EFFECTS_PER_TURN_MAX } from './effects.ts'
export type { EffectRequest, EffectRunner, EffectRunners } from './effects.ts'
export type { Narrator, TurnNews } from './narrator.ts'
export type { StopRequest } from './stoppable-turns.ts'
export type { ProposedEvent, TurnFailure, TurnResult } from './turn-result.ts'
export type { TurnInput, TurnParts } from './turn.ts'
export { Turns } from './turns.ts'
