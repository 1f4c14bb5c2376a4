import type { Agents } from './agents.ts'
import { NO_BUDGET } from './budget.ts'
import type { SessionBudget } from './budget.ts'
import type { BudgetGiven } from './budget-payloads.ts'
import type { Payload, SavedJob } from './payloads.ts'
import type { SavedPermission, StandingRule } from './permission-payloads.ts'

/** Messages that may wait for the lead. */
export const WAITING_MAX = 100
/** Ends of the program on one message, after which the message is set aside. */
export const DEATHS_MAX = 2
/** Messages that are kept aside for a person; the oldest are dropped. */
export const SET_ASIDE_MAX = 100
/** The requests that the program is asked one by one. */
export const WAITING_TYPES: ReadonlySet<string> = new Set<Waiting['type']>([
  'user_message',
  'user_summon',
  'user_wake',
])

/** A session of the program that plays the team. */
export interface TeamSession {
  readonly id: string
  readonly pid: number
  readonly model: string
  readonly demoMode: boolean
  /** The program's own name for its conversation, by which it can be resumed. */
  readonly claudeSessionId: string | null
}

/** A record that the program has still to answer. */
export interface Waiting {
  readonly id: string
  readonly type: 'user_message' | 'user_summon' | 'user_wake'
  /** How often the program has ended while it worked on it. */
  readonly deaths: number
}

export interface Artifact {
  readonly filename: string
  readonly sizeBytes: number
  readonly description: string
  readonly category: string
  readonly chapter: string
}

export interface TeamUsage {
  readonly turns: number
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface TeamState {
  /** Null when no session is open. */
  readonly session: TeamSession | null
  /** The session that goes on when the server starts again: it ended without anybody wanting it to. */
  readonly resumable: TeamSession | null
  /** No program is started again by itself. */
  readonly hasGivenUp: boolean
  /** The start of a session that a person asked for, until it has begun or failed. */
  readonly starting: {
    readonly id: string
    readonly demoMode: boolean
    readonly budget: BudgetGiven
  } | null
  /** Of the session that is open, or was last. */
  readonly budget: SessionBudget
  /** A person asked for the end of the open session. */
  readonly isEndAsked: boolean
  /** The open permission requests of the program. */
  readonly permissions: readonly SavedPermission[]
  /** By which people have allowed calls for good, the oldest first. */
  readonly rules: readonly StandingRule[]
  readonly auth: Pick<
    Payload<'auth_state'>,
    'authMethod' | 'needsSetup' | 'expiresInMinutes'
  > | null
  readonly agents: Agents
  readonly waiting: readonly Waiting[]
  /** Ids of the messages that the program does not get again unless a person sends them again. */
  readonly setAside: readonly string[]
  readonly artifacts: Readonly<Record<string, Artifact>>
  readonly jobs: Readonly<Record<string, SavedJob>>
  readonly usage: TeamUsage
}

export const INITIAL_STATE: TeamState = {
  session: null,
  resumable: null,
  hasGivenUp: false,
  starting: null,
  budget: NO_BUDGET,
  isEndAsked: false,
  permissions: [],
  rules: [],
  auth: null,
  agents: {},
  waiting: [],
  setAside: [],
  artifacts: {},
  jobs: {},
  usage: { turns: 0, costUsd: 0, inputTokens: 0, outputTokens: 0 },
}
