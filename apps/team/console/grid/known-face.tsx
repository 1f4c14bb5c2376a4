import { defaultFace } from '../../events/agents.ts'
import { LEAD_NAME, LEAD_POSITION, PALETTE } from '../../events/grid.ts'
import type { Doing } from '../view/doing.ts'
import { agentNamed } from '../view/doing.ts'
import type { TeamView } from '../view/team-view.ts'
import { AgentFace } from './agent-face.tsx'
import type { AgentFaceProps, Expression } from './agent-face.tsx'

export interface KnownFaceProps extends Pick<AgentFaceProps, 'size' | 'expression'> {
  readonly agents: TeamView['agents']
  readonly name: string
}

/** The face of an agent by its name; one that nobody knows is drawn as its name would be. */
export function KnownFace({ agents, name, ...looks }: KnownFaceProps) {
  return <AgentFace {...faceOf(agents, name)} {...looks} />
}

export function faceOf(
  agents: TeamView['agents'],
  name: string,
): Pick<AgentFaceProps, 'color' | 'variant'> {
  const agent = name === LEAD_NAME ? undefined : agentNamed(agents, name)
  const color = name === LEAD_NAME ? PALETTE[LEAD_POSITION].color : (agent?.color ?? '#8a968f')
  return { color, variant: agent?.faceVariant ?? defaultFace(name) }
}

export function expressionOf({ state }: Doing): Expression {
  if (state === 'asleep' || state === 'failed') return state
  return state === 'speaks' ? 'speaking' : 'awake'
}
