/**
 * One model call: its history, its budget and price, its second attempt, and its text, thoughts and tool
 * calls as records of the log. The summary of a history that is too long is such a call.
 *
 * Invariant: text is appended as it comes; proposals and tool calls count only after the call ended well.
 * It must never know which agent asks, run a tool, or decide a proposal.
 *
 * @module
 */
export { MODEL_ATTEMPTS_MAX, MODEL_RETRY_DELAY_MS, inAttempts } from './attempts.ts'
export { Budget, THREAD_LIMITS } from './budget.ts'
export type { ThreadLimits } from './budget.ts'
export { CallIds } from './call-ids.ts'
export { compaction, fits } from './compaction.ts'
export type { CompactionRequest } from './compaction.ts'
export { sizeOf } from './compaction-plan.ts'
export { COALESCE_MAX_CHARS, COALESCE_MAX_MS } from './delta-flow.ts'
export { estimateOf } from './estimate.ts'
export { lateText, modelHistory, readsFile, unreadFile } from './history.ts'
export { LimitReached } from './limit-reached.ts'
export { FailedStep, modelStep } from './model-step.ts'
export type { ModelStep, StepFailure } from './model-step.ts'
export { modelOutput } from './model-output.ts'
export { costOf } from './prices.ts'
export type { Price, Prices } from './prices.ts'
export { customTagged, stepFinished, stepStarted, subagentMark } from './step-events.ts'
