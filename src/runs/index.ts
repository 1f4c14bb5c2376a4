/**
 * Agents at work in a thread: runs inside runs, hand-offs, tools, questions that wait for a person, what
 * was used and what may be. Everything is on record before it is shown, and every run that starts ends
 * once. It must never decide what an event means, or answer from anything but the log.
 *
 * @module
 */
export { AgentTurn, endsTurn } from './agent-turn.ts'
export type { AgentResult, TurnReason } from './agent-turn.ts'
export { MODEL_ATTEMPTS_MAX, MODEL_RETRY_DELAY_MS, inAttempts } from './attempts.ts'
export type { Allowance, ThreadLimits } from './budget.ts'
export { CallIds } from './call-ids.ts'
export { COALESCE_MAX_CHARS, COALESCE_MAX_MS } from './delta-flow.ts'
export { HISTORY_CHARS_MAX, HISTORY_MESSAGES_MAX, modelHistory, newestMessages } from './history.ts'
export { withoutOpenRuns } from './interrupted.ts'
export { LimitReached } from './limit-reached.ts'
export { FailedStep, modelStep } from './model-step.ts'
export type { ModelStep, ModelStepRequest } from './model-step.ts'
export type { Price, Prices } from './prices.ts'
export { Runs } from './runs.ts'
export type { ResumeRequest, RunsParts, StartRequest } from './runs.ts'
export { LOOK_BATCHES_MAX, LOOK_INTERVAL_MS, OpenWork, TAKE_UP_MAX } from './open-work.ts'
export type { OpenWorkParts } from './open-work.ts'
export { stableId } from './stable-id.ts'
export { threadBudget } from './turn-scope.ts'
export { TurnError } from './turn-error.ts'
export type { TurnErrorCode } from './turn-error.ts'
export { TURNS_WAITING_MAX, TurnQueue } from './turn-queue.ts'
export { TreeError, wholeTree } from './whole-tree.ts'
export type { EndedRun, RunEnding } from './whole-tree.ts'
