import { ClientError, isJsonObject } from 'throughline/client'
import type { Json } from 'throughline/client'
import { sessionRequest } from '../../kit/index.ts'
import type { Agents, TeamAgent } from '../events/agents.ts'
import type { TeamView } from './view/team-view.ts'

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

/** A call that the program wants allowed. */
export interface Permission {
  readonly request: string
  readonly toolName: string
  readonly input: string
  readonly digest: string
  /** The input is shown in full: it can be allowed. */
  readonly isWhole: boolean
  /** The folder that the program works in. */
  readonly folder?: string
  /** The call of the helper that asks; absent for the lead. */
  readonly parentToolUseId?: string
  /** The exact rule that always allowing it would make; absent where there is none. */
  readonly always?: { readonly tool: string; readonly pattern: string }
  /** When it was asked, in milliseconds since the epoch. */
  readonly ts?: number
}

/** A call that a person always allows. */
export interface AllowedRule {
  readonly id: string
  readonly tool: string
  readonly pattern: string
  readonly folder: string
}

/** What the session that is open may use, and what it used. */
export interface SessionBudget {
  /** `null` for no limit. */
  readonly budget: { readonly costUsd: number | null; readonly tokens: number | null }
  readonly spent: { readonly costUsd: number; readonly tokens: number }
  /** How much of the budget is used; `null` without one. */
  readonly percent: number | null
}

/** The team's documents, which do not depend on its log. */
export type KeptTeam = Pick<TeamView, 'agents' | 'artifacts' | 'needsSetup'> & {
  /** No other program is installed: the built-in one plays the team. */
  readonly isScripted: boolean
  /** The folder that the program works in. */
  readonly folder: string
}

/** A session of the team, as the server keeps it. */
export interface KeptSession {
  readonly sessionId: string
  readonly startedAt: string
  /** Null while it is open. */
  readonly endedAt: string | null
  readonly reason: string | null
  readonly messages: number
}

export interface TranscriptMessage {
  readonly id: string
  readonly sessionId: string | null
  readonly role: 'user' | 'assistant'
  readonly speakerName: string
  readonly targetAgent?: string | null
  readonly text: string
  /** Tools that were called in it. */
  readonly calls: number
  readonly isCutOff?: boolean
  readonly createdAt: string
}

export interface Transcript {
  /** The newest of those that were found. */
  readonly messages: readonly TranscriptMessage[]
  readonly count: number
}

/** Which messages are asked for; an empty member asks for all. */
export interface TranscriptQuery {
  readonly session: string
  readonly agent: string
  readonly find: string
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
    const [{ agents }, { artifacts }, health, { folder }] = await Promise.all([
      ask<{ agents: readonly TeamAgent[] }>('/api/agents'),
      ask<Pick<TeamView, 'artifacts'>>('/api/artifacts'),
      ask<Pick<KeptTeam, 'needsSetup' | 'isScripted'>>('/api/health'),
      ask<Pick<KeptTeam, 'folder'>>('/api/sessions'),
    ])
    const byPosition: Agents = Object.fromEntries(
      agents.map((agent) => [agent.gridPosition, agent]),
    )
    const { needsSetup, isScripted } = health
    return { agents: byPosition, artifacts, needsSetup, isScripted, folder }
  } catch (error) {
    if (error instanceof ClientError) return error.final ? 'refused' : 'lost'
    throw error
  }
}

export async function fetchJobs(): Promise<readonly Job[]> {
  return (await ask<{ jobs: readonly Job[] }>('/api/jobs')).jobs
}

export async function fetchSessions(): Promise<readonly KeptSession[]> {
  return (await ask<{ sessions: readonly KeptSession[] }>('/api/sessions')).sessions
}

export async function fetchTranscript(query: TranscriptQuery): Promise<Transcript> {
  return ask<Transcript>(`/api/transcripts?${new URLSearchParams({ ...query }).toString()}`)
}

export async function fetchBudget(): Promise<SessionBudget> {
  return ask<SessionBudget>('/api/session/budget')
}

export async function fetchRules(): Promise<readonly AllowedRule[]> {
  return (await ask<{ rules: readonly AllowedRule[] }>('/api/permission-rules')).rules
}

async function ask<Answer>(path: string): Promise<Answer> {
  // The server answers in the shape that its contract names.
  return (await sessionRequest(path, 'operator')) as unknown as Answer
}
