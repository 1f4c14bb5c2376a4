import { stableId } from '../gate/index.ts'
import { AgentTurn } from './turn/agent-turn.ts'
import type { AgentTurnParts } from './turn/agent-turn.ts'
import { RESUME_SCOPE } from './runs.ts'
import type { ResumeRequest, Runs } from './runs.ts'

/**
 * Resumes a turn by the engine that `runs` resolves with. The turn is returned at once, so its request goes
 * under a key: the id of a keyed turn is known before its engine is.
 */
export function resumeBy<State>(
  runs: Promise<Runs<State>>,
  {
    log,
    thread,
    id,
  }: Pick<AgentTurnParts<State>, 'log' | 'thread'> & { readonly id: () => string },
  { key = id(), ...request }: ResumeRequest,
): AgentTurn<State> {
  const run = stableId(thread, RESUME_SCOPE, key)
  const turn = runs.then((engine) => engine.resume(thread, { ...request, key }))
  return AgentTurn.awaiting({ log, thread, run }, turn)
}
