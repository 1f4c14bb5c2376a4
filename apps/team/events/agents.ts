import type { AgentStatus, GivenRegistration, Registration } from './payloads.ts'
import { LEAD_POSITION, PALETTE } from './grid.ts'

const EYES = ['standard', 'round', 'narrow', 'wide'] as const
const MOUTHS = ['gentle', 'straight', 'cheerful', 'asymmetric'] as const

export interface FaceVariant {
  readonly eyes: string
  readonly mouth: string
}

/** An agent of the team: who it is, and whether it is awake. */
export interface TeamAgent {
  readonly name: string
  readonly status: 'alive' | 'sleeping'
  readonly gridPosition: number
  readonly color: string
  readonly colorName: string
  readonly gender: 'man' | 'woman'
  readonly faceVariant: FaceVariant
  readonly individuationArtifact: string
  readonly createdAt: string
  readonly lastAliveAt: string | null
  readonly lastSessionId: string | null
}

export type Agents = Readonly<Record<string, TeamAgent>>

/** When and in which session an event happened. */
export interface Happening {
  readonly ts: number
  readonly sessionId: string | null
}

/** A name always has the same face. */
export function defaultFace(name: string): FaceVariant {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  const eyes = EYES[hash % EYES.length] ?? EYES[0]
  const mouth = MOUTHS[Math.floor(hash / EYES.length) % MOUTHS.length] ?? MOUTHS[0]
  return { eyes, mouth }
}

export function paletteOf(position: number): {
  readonly color: string
  readonly colorName: string
} {
  return PALETTE[position] ?? PALETTE[LEAD_POSITION]
}

/** Fills in what a registration leaves open. */
export function completeRegistration(agent: GivenRegistration, ts: number): Registration {
  const { name, gridPosition, ...looks } = agent
  return {
    name,
    gridPosition,
    ...paletteOf(gridPosition),
    gender: 'man',
    faceVariant: defaultFace(name),
    individuationArtifact: '',
    createdAt: new Date(ts).toISOString(),
    ...given(looks),
  }
}

export function registerAgent(agents: Agents, agent: Registration, at: Happening): Agents {
  return withAgent(agents, { ...agent, ...awake(at) })
}

/** Adds agents that are unknown, and puts those to sleep that the report omits. */
export function reportStatus(
  agents: Agents,
  reported: readonly AgentStatus[],
  at: Happening,
): Agents {
  const positions = new Set(reported.map(({ gridPosition }) => gridPosition))
  const omitted = sleepAll(agents, (agent) => !positions.has(agent.gridPosition))
  return reported.reduce(
    (known, status) => withAgent(known, reportedAgent(known, status, at)),
    omitted,
  )
}

/** Puts all agents to sleep, or those that `which` names. */
export function sleepAll(
  agents: Agents,
  which: (agent: TeamAgent) => boolean = () => true,
): Agents {
  return Object.fromEntries(
    Object.entries(agents).map(([position, agent]) => [
      position,
      which(agent) ? { ...agent, status: 'sleeping' as const } : agent,
    ]),
  )
}

function reportedAgent(agents: Agents, reported: AgentStatus, at: Happening): TeamAgent {
  const { name, gridPosition, status, ...looks } = reported
  const known = agents[gridPosition]
  const agent: TeamAgent = {
    ...(known?.name === name ? known : newAgent(name, gridPosition, at)),
    ...given(looks),
  }
  return status === 'shutdown' ? { ...agent, status: 'sleeping' } : { ...agent, ...awake(at) }
}

function newAgent(name: string, gridPosition: number, { ts }: Happening): TeamAgent {
  return {
    name,
    gridPosition,
    status: 'sleeping',
    ...paletteOf(gridPosition),
    gender: 'man',
    faceVariant: defaultFace(name),
    individuationArtifact: '',
    createdAt: new Date(ts).toISOString(),
    lastAliveAt: null,
    lastSessionId: null,
  }
}

type Defined<Looks> = { readonly [Key in keyof Looks]?: Exclude<Looks[Key], undefined> }

function given<Looks extends object>(looks: Looks): Defined<Looks> {
  const entries = Object.entries(looks).filter(([, value]) => value !== undefined)
  // The members that are left have the types that they had.
  return Object.fromEntries(entries) as Defined<Looks>
}

function awake({ ts, sessionId }: Happening) {
  const lastAliveAt = new Date(ts).toISOString()
  return { status: 'alive', lastAliveAt, lastSessionId: sessionId } as const
}

function withAgent(agents: Agents, agent: TeamAgent): Agents {
  return { ...agents, [agent.gridPosition]: agent }
}
