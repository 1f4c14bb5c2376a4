import { ClientError, isJsonObject } from 'throughline/client'
import type { Json } from 'throughline/client'
import { sessionRequest } from '../../kit/index.ts'
import type { Agents, TeamAgent } from '../events/agents.ts'
import type { TeamView } from './team-view.ts'

export interface Job {
  readonly jobId: string
  readonly name: string
  readonly description: string
  readonly status: 'open' | 'filled'
  readonly contextDocs: string
  readonly skills: string
  readonly files: readonly string[]
  readonly aboutYou: string
  readonly assignedAgent: string | null
  /** Agents that have neither taken nor declined it. */
  readonly offeredTo?: readonly string[]
}

/** Gives a job to an agent. Returns what went wrong, in words for the person. */
export function giveJob(job: Job, agentName: string): Promise<string | undefined> {
  const { jobId: id, name, description, contextDocs, skills, files, aboutYou } = job
  const draft = { name, description, contextDocs, skills, files: [...files], aboutYou }
  return tell('/api/jobs', { id, ...draft, assignedAgent: agentName })
}

/** The team's documents, which do not depend on its log. */
export type KeptTeam = Pick<TeamView, 'agents' | 'artifacts' | 'needsSetup'> & {
  /** No other program is installed: the built-in one plays the team. */
  readonly isScripted: boolean
}

/** Asks the server. Returns what went wrong, in words for the person, or undefined. */
export async function tell(path: string, body: Json = {}): Promise<string | undefined> {
  try {
    await sessionRequest(path, 'operator', { body })
    return undefined
  } catch (error) {
    if (error instanceof ClientError) return error.message
    throw error
  }
}

/** Asks the team for something that its events answer. Returns the position of the request in the log. */
export async function askTeam(path: string, body: Json): Promise<{ eventId: number } | string> {
  try {
    const answer = await sessionRequest(path, 'operator', { body })
    return { eventId: isJsonObject(answer) ? Number(answer['eventId']) : 0 }
  } catch (error) {
    if (error instanceof ClientError) return error.message
    throw error
  }
}

/** Fetches the team's documents; `refused` if this browser may not see them, `lost` without an answer. */
export async function fetchTeam(): Promise<KeptTeam | 'refused' | 'lost'> {
  try {
    const [{ agents }, { artifacts }, { needsSetup, isScripted }] = await Promise.all([
      ask<{ agents: readonly TeamAgent[] }>('/api/agents'),
      ask<Pick<TeamView, 'artifacts'>>('/api/artifacts'),
      ask<Pick<KeptTeam, 'needsSetup' | 'isScripted'>>('/api/health'),
    ])
    const byPosition: Agents = Object.fromEntries(
      agents.map((agent) => [agent.gridPosition, agent]),
    )
    return { agents: byPosition, artifacts, needsSetup, isScripted }
  } catch (error) {
    if (error instanceof ClientError) return error.final ? 'refused' : 'lost'
    throw error
  }
}

export async function fetchJobs(): Promise<readonly Job[]> {
  return (await ask<{ jobs: readonly Job[] }>('/api/jobs')).jobs
}

async function ask<Answer>(path: string): Promise<Answer> {
  // The server answers in the shape that its contract names.
  return (await sessionRequest(path, 'operator')) as unknown as Answer
}
