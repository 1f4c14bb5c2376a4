/**
 * Effects and deadlines of threads: runs an effect when the state waits for it, tries it again, and proposes
 * a deadline's event when its time has come. One lane for each thread, under the thread's lease. All that it
 * knows is read from the log. It must never know an agent or a turn.
 *
 * @module
 */
export { ManualClock, systemClock } from './clock.ts'
export type { Clock } from './clock.ts'
export { DueWorkLane, EFFECTS_PER_TURN_MAX, EFFECT_THREADS_MAX, LOOK_RETRY_MS } from './due-work.ts'
export type { DueWorkParts } from './due-work.ts'
export { EFFECT_ATTEMPTS_MAX, EFFECT_TIMEOUT_MS, checkRunners } from './effect-runner.ts'
export type {
  EffectContext,
  EffectOutcome,
  EffectRunner,
  EffectRunners,
  RunnersOf,
} from './effect-runner.ts'
export { WAKE_TIMES_MAX, WakeTimes } from './wake-times.ts'
