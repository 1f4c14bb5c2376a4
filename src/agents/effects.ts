import { customEvent } from '../activity/index.ts'
import { assert } from '../assert/index.ts'
import { dueEffects } from '../domain/index.ts'
import type { Domain, Due, LibraryRecord } from '../domain/index.ts'
import type { Gate } from '../gate/index.ts'
import type { Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { stableId } from '../gate/index.ts'

/** Effects that one turn may run one after the other. */
export const EFFECTS_PER_TURN_MAX = 8

export interface EffectRequest<State> {
  readonly state: State
  readonly input: Due['input']
  /** Stays the same when the work is taken up again after a crash. */
  readonly key: string
  /** When the work was first requested, in milliseconds since the epoch. */
  readonly requestedAt: number
}

/** Does an effect's work in the world and gives the event that records its outcome. */
export type EffectRunner<State> = (
  request: EffectRequest<State>,
) => Promise<{ readonly type: string; readonly data: Json }>

export type EffectRunners<State> = Readonly<Record<string, EffectRunner<State>>>

/**
 * Runs the effects that the state waits for, until none is due. Each is requested by a record and ended
 * by a record, both with ids made from its key: taken up again after a crash, it ends the same way once.
 *
 * An effect that fails is recorded and stays due; the next turn takes it up.
 */
export async function runDueEffects<State>(
  gate: Gate<State>,
  thread: string,
  context: { readonly runners: EffectRunners<State>; readonly origin: Origin },
): Promise<void> {
  const { runners, origin } = context
  for (let ran = 0; ran < EFFECTS_PER_TURN_MAX; ran++) {
    const { state } = await gate.snapshot(thread)
    const due = nextDue(gate.domain, state)
    const run = due && runners[due.name]
    if (!due || !run) break
    const requested = await gate.append(thread, [
      {
        id: stableId(thread, due.key, 'requested'),
        type: 'effect_requested' satisfies LibraryRecord,
        data: { effect: due.name, key: due.key, ...due.input },
        origin,
      },
    ])
    const [asked] = requested
    assert(asked, 'Cannot run an effect: its request was not appended')
    try {
      // As it was when the work was asked for: taken up again later, it must send the same.
      const { state: then } = await gate.state(thread, asked.seq)
      const outcome = await run({
        state: then,
        input: due.input,
        key: due.key,
        requestedAt: asked.ts,
      })
      const id = stableId(thread, due.key, 'ended')
      const { answers } = await gate.commit(thread, [{ ...outcome, id, origin }])
      const refusal = answers[0]?.refusal
      if (refusal) throw new Error(`Cannot record the outcome: ${refusal.detail}`)
    } catch (error) {
      await gate.append(thread, [failure(due, error, origin)])
      break
    }
  }
}

/** Whether the state waits for an effect. */
export function isEffectDue<State>(domain: Domain<State>, state: State): boolean {
  return nextDue(domain, state) !== undefined
}

/** The effect that the state waits for, if any. */
function nextDue<State>(domain: Domain<State>, state: State) {
  return dueEffects(domain, state)[0]
}

function failure(due: { name: string; key: string }, error: unknown, origin: Origin) {
  const message = error instanceof Error ? error.message : String(error)
  return customEvent('effect_failed', { effect: due.name, key: due.key, message }, origin)
}
