import { LEAD_NAME } from '../../events/grid.ts'
import type { TeamAgent } from '../../events/agents.ts'
import { runningCall } from './talk.ts'
import type { CallPart } from './talk.ts'
import { workingAgent } from './team-view.ts'
import type { TeamView } from './team-view.ts'

/** What an agent does now, by the record. */
export interface Doing {
  readonly state:
    | 'checking'
    | 'asleep'
    | 'ready'
    | 'failed'
    | 'waits'
    | 'calls'
    | 'speaks'
    | 'thinks'
  /** The call that it waits for. */
  readonly call?: CallPart
}

export interface Asked {
  /** The page does not know yet, or no more, how things stand. */
  readonly isCurrent: boolean
  /** A call waits for a person. */
  readonly isAsked: boolean
  /** The budget is used up: no turn begins. */
  readonly isHeld: boolean
}

export function doing(view: TeamView, name: string, { isCurrent, isAsked, isHeld }: Asked): Doing {
  if (!isAwake(view, name)) return { state: 'asleep' }
  if (!isCurrent) return { state: 'checking' }
  if (workingAgent(view) !== name || isHeld) {
    return { state: view.failed.includes(name) ? 'failed' : 'ready' }
  }
  return isAsked ? { state: 'waits' } : workOf(view, name)
}

/** How far the agent is whose turn it is. */
function workOf(view: TeamView, name: string): Doing {
  const last = view.entries.at(-1)
  if (last?.kind !== 'agent' || last.who !== name) return { state: 'thinks' }
  const call = runningCall(last.parts)
  if (call) return { state: 'calls', call }
  return { state: last.parts.at(-1)?.kind === 'said' ? 'speaks' : 'thinks' }
}

function isAwake({ session, agents }: TeamView, name: string): boolean {
  if (name === LEAD_NAME) return session !== null
  return agentNamed(agents, name)?.status === 'alive'
}

export function agentNamed(agents: TeamView['agents'], name: string): TeamAgent | undefined {
  return Object.values(agents).find((agent) => agent.name === name)
}
