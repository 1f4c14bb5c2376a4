import { customEvent } from '../activity/index.ts'
import { assert } from '../assert/index.ts'
import type { DueEffect, LibraryRecord } from '../domain/index.ts'
import type { Gate } from '../gate/index.ts'
import { stableId } from '../gate/index.ts'
import { isThrown, startOf, textOf } from '../json/index.ts'
import { mayPass } from '../log/index.ts'
import type { EventLog, LogRecord, Origin } from '../log/index.ts'
import { LinkedSignal, whileOpen } from '../models/index.ts'
import type { EffectProgress } from '../thread/index.ts'
import type { Clock } from './clock.ts'
import { EFFECT_ATTEMPTS_MAX, EFFECT_TIMEOUT_MS } from './effect-runner.ts'
import type { EffectOutcome, EffectRunner } from './effect-runner.ts'
import { failureMessage } from './failure-message.ts'

/** Why an attempt failed: it threw, took too long, gave no event, or the gate refused its event. */
type FailureCode = 'failed' | 'timeout' | 'invalid_outcome' | 'refused'

export interface AttemptParts<State> {
  readonly gate: Gate<State>
  readonly log: Pick<EventLog, 'find'>
  readonly clock: Clock
}

export interface Attempt<State> {
  readonly thread: string
  readonly due: DueEffect
  readonly runner: EffectRunner<State>
  /** The progress in the thread's fold; undefined if there was no request, or only a dropped old one. */
  readonly progress: EffectProgress | undefined
  readonly origin: Origin
  /** Of the lease under which the attempt is made. */
  readonly fence: number
  /** Aborts when this process may not work on the thread any more. */
  readonly signal: AbortSignal
}

/** `ended`: the log holds the outcome of an earlier attempt. `aborted`: the signal was; nothing is recorded. */
export type AttemptEnd = 'done' | 'failed' | 'ended' | 'aborted'

class FailedAttempt extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Makes one attempt of an effect: its request, its work, and its outcome or failure, all on record. The
 * outcome and the final failure share one id, so the log holds one of them at most.
 */
export async function attemptEffect<State>(
  parts: AttemptParts<State>,
  attempt: Attempt<State>,
): Promise<AttemptEnd> {
  const { thread, due, signal } = attempt
  if (await hasEnded(parts, thread, due)) return 'ended'
  if (signal.aborted) return 'aborted'
  const asked = attempt.progress ?? (await request(parts, attempt))
  let isWorkDone = false
  try {
    const outcome = await work(parts, attempt, asked)
    signal.throwIfAborted()
    isWorkDone = true
    await recordOutcome(parts, attempt, { ...outcome, cause: asked.id })
    return 'done'
  } catch (error) {
    // Checked here too: work that was aborted throws whatever it likes.
    if (signal.aborted) return 'aborted'
    // Its work is done, and the store was away to the end of this process: the next one asks again.
    if (isWorkDone && mayPass(error)) throw error
    await recordFailure(parts, attempt, { asked, error })
    return 'failed'
  }
}

export async function hasEnded<State>(
  { log }: Pick<AttemptParts<State>, 'log'>,
  thread: string,
  { name, key }: DueEffect,
): Promise<boolean> {
  return (await log.find(thread, stableId(thread, name, key, 'ended'))) !== undefined
}

async function request<State>(
  { gate, clock }: AttemptParts<State>,
  { thread, due, origin, fence }: Attempt<State>,
): Promise<LogRecord> {
  const named = { effect: due.name, key: due.key }
  const event = {
    id: stableId(thread, due.name, due.key, 'requested'),
    ts: clock.now(),
    type: 'effect_requested' satisfies LibraryRecord,
    // Named last: an input with members of these names must not name another effect.
    data: { ...named, ...due.input, ...named },
    origin,
  }
  const [asked] = await gate.append(thread, [event], { fence, mustRecord: true })
  assert(asked, 'Cannot run an effect: its request was not appended')
  return asked
}

async function work<State>(
  { gate, clock }: AttemptParts<State>,
  { thread, due, runner, progress, signal }: Attempt<State>,
  asked: { readonly seq: number; readonly ts: number },
): Promise<EffectOutcome> {
  const { state } = await gate.untilRecorded(thread, () => gate.state(thread, asked.seq))
  const link = new LinkedSignal(signal)
  const timeoutMs = runner.timeoutMs ?? EFFECT_TIMEOUT_MS
  const timeUp = new FailedAttempt('timeout', `It took longer than ${timeoutMs} ms`)
  const cancelTimer = clock.after(timeoutMs, () => link.abort(timeUp))
  try {
    const outcome: unknown = await whileOpen(link, async () =>
      runner.run({
        thread,
        state,
        input: due.input,
        key: due.key,
        attempt: (progress?.failures ?? 0) + 1,
        requestedAt: asked.ts,
        signal: link.signal,
        now: async () => (await gate.untilRecorded(thread, () => gate.snapshot(thread))).state,
      }),
    )
    return requireOutcome(outcome)
  } finally {
    cancelTimer()
    link.release()
  }
}

/** Runners are other people's code: what they give is read like any other input. */
function requireOutcome(given: unknown): EffectOutcome {
  const outcome = typeof given === 'object' && given !== null ? given : {}
  const { type, data } = outcome as Partial<EffectOutcome>
  if (typeof type === 'string' && data !== undefined) return { type, data }
  throw new FailedAttempt('invalid_outcome', 'Its runner gave no { type, data }')
}

async function recordOutcome<State>(
  { gate }: AttemptParts<State>,
  { thread, due, origin, fence, signal }: Attempt<State>,
  { type, data, cause }: EffectOutcome & { readonly cause: string },
): Promise<void> {
  const id = stableId(thread, due.name, due.key, 'ended')
  const proposal = { id, type, data, origin: { ...origin, source: 'system' as const, cause } }
  await gate.commit(thread, [proposal], {
    fence,
    mustRecord: true,
    after: ({ decided: [outcome] }) => {
      signal.throwIfAborted()
      // Not recorded under this id: a later attempt may end with an outcome that is accepted.
      if (outcome?.type === 'event_refused') throw refused(type, textOf(outcome.data, 'detail'))
      return []
    },
  })
}

function refused(type: string, detail: string): FailedAttempt {
  return new FailedAttempt('refused', `The gate refused its "${startOf(type, 128)}": ${detail}`)
}

async function recordFailure<State>(
  { gate, clock }: AttemptParts<State>,
  { thread, due, runner, progress, origin, fence }: Attempt<State>,
  { asked, error }: { readonly asked: { readonly id: string }; readonly error: unknown },
): Promise<void> {
  const attempt = (progress?.failures ?? 0) + 1
  const isFinal = attempt >= (runner.retry?.attempts ?? EFFECT_ATTEMPTS_MAX)
  const value = {
    effect: due.name,
    key: due.key,
    message: failureMessage(error),
    code: isThrown(error, FailedAttempt) ? error.code : ('failed' satisfies FailureCode),
    attempt,
    ...(isFinal ? { final: true } : {}),
  }
  const event = customEvent('effect_failed', value, {
    ...origin,
    source: 'system',
    cause: asked.id,
  })
  const id = isFinal ? { id: stableId(thread, due.name, due.key, 'ended') } : {}
  const failed = { ...event, ...id, ts: clock.now() }
  await gate.append(thread, [failed], { fence, mustRecord: true })
}
