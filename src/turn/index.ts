/**
 * The turn: what people did, the rules, the model, what it proposed, the rules again, and the work they
 * start, in that order and on the record between one RUN_STARTED and one terminal record. It must never
 * decide what an event means, or answer from anything but the log.
 *
 * @module
 */
export { EFFECTS_PER_TURN_MAX } from './effects.ts'
export type { EffectRequest, EffectRunner, EffectRunners } from './effects.ts'
export { HISTORY_CHARS_MAX, HISTORY_MESSAGES_MAX, modelHistory, neutralise } from './history.ts'
export type { Narrator, TurnNews } from './narrator.ts'
export { stableId } from './stable-id.ts'
export { COALESCE_MAX_CHARS, COALESCE_MAX_MS } from './text-flow.ts'
export { TurnError } from './turn-error.ts'
export type { TurnErrorCode } from './turn-error.ts'
export { TURNS_WAITING_MAX } from './turn-queue.ts'
export type { ProposedEvent, TurnResult } from './turn-result.ts'
export { MODEL_ATTEMPTS_MAX, MODEL_RETRY_DELAY_MS, Turns } from './turns.ts'
export type { TurnInput, TurnParts } from './turns.ts'
