import { DefinitionError } from '../domain/index.ts'
import type { Domain, EffectInput, EffectInputs } from '../domain/index.ts'

/** Attempts of an effect without a `retry` of its own, and the most that a `retry` may name. */
export const EFFECT_ATTEMPTS_MAX = 1_000
/** How long one attempt may take without a `timeoutMs` of its own. */
export const EFFECT_TIMEOUT_MS = 600_000
/** The longest `timeoutMs`, and the longest pause before a retry. */
export const EFFECT_WAIT_MAX_MS = 86_400_000

/** The argument of a runner for one attempt. */
export interface EffectContext<State, Input = EffectInput> {
  readonly thread: string
  /** The state when the effect was requested, so that each attempt sends the same. */
  readonly state: State
  readonly input: Input
  /** The same in each attempt, and after a crash; unique for this effect within its thread. */
  readonly key: string
  /** Counts from 1. */
  readonly attempt: number
  /** When the effect was first requested, in milliseconds since the epoch. */
  readonly requestedAt: number
  /** Aborts when the attempt's time is up, or when this process may not work on the thread any more. */
  readonly signal: AbortSignal
  /** Reads the state as it is now. */
  readonly now: () => Promise<State>
}

/** The event that records the result of an effect; the gate gets it from `system`. */
export interface EffectOutcome {
  readonly type: string
  readonly data: unknown
}

/**
 * Does an effect's work. A failed attempt is recorded as `throughline.effect_failed`. With `retry` the next
 * one follows `backoffMs` later, then twice as long each time; without it, the next turn or wake tries again.
 */
export interface EffectRunner<
  State,
  Input = EffectInput,
  Outcome extends EffectOutcome = EffectOutcome,
> {
  // A method, so that a runner of a narrower input fits in a record of runners.
  run(context: EffectContext<State, Input>): Outcome | Promise<Outcome>
  /** `attempts` counts the first one too. */
  readonly retry?: { readonly attempts: number; readonly backoffMs: number }
  readonly timeoutMs?: number
}

export type EffectRunners<State, Outcome extends EffectOutcome = EffectOutcome> = Readonly<
  Record<string, EffectRunner<State, EffectInput, Outcome>>
>

/** A runner for each effect of a domain, typed by what the effect's `due` gives. */
export type RunnersOf<State, Effects extends EffectInputs, Outcome extends EffectOutcome> = {
  readonly [Name in keyof Effects]: EffectRunner<State, Effects[Name], Outcome>
}

/**
 * Checks that each effect of a domain has a runner, and each runner an effect and sound limits.
 *
 * @throws {@link DefinitionError} `missing_runner`, `invalid_runner`
 */
export function checkRunners<State>(
  { name: domain, effects }: Pick<Domain<State>, 'name' | 'effects'>,
  runners: EffectRunners<State>,
): void {
  const names = new Set(effects.map(({ name }) => name))
  for (const name of names) {
    if (Object.hasOwn(runners, name)) continue
    const message = `Cannot run domain "${domain}": its effect "${name}" has no runner; give it one`
    throw new DefinitionError('missing_runner', message)
  }
  for (const [name, runner] of Object.entries(runners)) {
    const wrong = names.has(name) ? whatIsWrong(runner) : 'names no effect; rename or remove it'
    if (wrong === undefined) continue
    const message = `Cannot run domain "${domain}": the runner "${name}" ${wrong}`
    throw new DefinitionError('invalid_runner', message)
  }
}

/** When an effect may be tried again after its last failure; undefined when no time was declared. */
export function retryAt<State>(
  { retry }: Pick<EffectRunner<State>, 'retry'>,
  { failures, failedAt = 0 }: { readonly failures: number; readonly failedAt?: number },
): number | undefined {
  if (!retry) return undefined
  return failedAt + Math.min(retry.backoffMs * 2 ** (failures - 1), EFFECT_WAIT_MAX_MS)
}

function whatIsWrong<State>(runner: EffectRunner<State>): string | undefined {
  const { retry, timeoutMs } = runner
  if (typeof runner.run !== 'function') return 'has no `run`; give it a function'
  if (timeoutMs !== undefined && !isWithin(timeoutMs, 1, EFFECT_WAIT_MAX_MS)) {
    return `has the timeoutMs ${timeoutMs}; give 1 to ${EFFECT_WAIT_MAX_MS}`
  }
  if (retry && !(isWithin(retry.attempts, 1, EFFECT_ATTEMPTS_MAX) && retry.attempts % 1 === 0)) {
    return `has ${retry.attempts} attempts; give a whole number from 1 to ${EFFECT_ATTEMPTS_MAX}`
  }
  return retry && !isWithin(retry.backoffMs, 0, EFFECT_WAIT_MAX_MS)
    ? `has the backoffMs ${retry.backoffMs}; give 0 to ${EFFECT_WAIT_MAX_MS}`
    : undefined
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}
