import type { Hono } from 'hono'
import type { Agent, CancelRequest, ResumeRequest, TurnRequest } from '../agents/index.ts'
import type { Answer, CommitOptions, Gate } from '../gate/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import type { Access } from './access.ts'
import type { Quotas } from './quotas.ts'
import type { Role } from './tokens.ts'

/** Records that one read of an earlier state may fold. */
export const STATE_EVENTS_MAX = 100_000

/** An event as a request proposes it, before it has an origin. */
export interface DirectEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

export interface Committed {
  readonly answers: readonly Answer[]
  readonly derived: readonly LogRecord[]
  readonly head: number
}

/** What the server needs to know of the threads of one application. */
export interface ThreadFace {
  state(thread: string, role: Role, at?: number): Promise<{ seq: number; state: Json }>
  /** The record as the role may see it, or undefined when it may not. */
  record(record: LogRecord, role: Role): LogRecord | undefined
  /** The roles that are shown every record as it is stored. */
  readonly whole?: readonly Role[]
  commit(thread: string, events: readonly DirectEvent[], options: CommitAs): Promise<Committed>
  /** Members that the application adds to the answer to proposed events. */
  answerMembers?(thread: string): Promise<Readonly<Record<string, Json>>>
}

/** How a role's events are committed. */
export interface CommitAs extends Pick<CommitOptions, 'expectedVersion' | 'request'> {
  readonly role: Role
  readonly actor?: string
}

/** A turn that was taken on: `started` once its input is on record, `result` once it has ended. */
export interface TakenTurn {
  readonly run: string
  readonly started: Promise<void>
  readonly result: Promise<unknown>
}

/** The agents that may be asked in an application's threads. */
export interface ServedRuns {
  readonly agents: readonly Pick<
    Agent<never>,
    'name' | 'description' | 'tools' | 'agents' | 'handoffs'
  >[]
  start(thread: string, request: TurnRequest): TakenTurn
  resume(thread: string, request: ResumeRequest): TakenTurn
  resetHistory(thread: string): Promise<void>
}

/** How runs are cancelled in an application's threads. */
export interface Cancelling {
  /** The roles that may cancel runs on their own surface; the operator may cancel any. */
  readonly roles: readonly Role[]
  /** Resolves with whether there was a run to cancel. */
  cancel(thread: string, request: CancelRequest): Promise<boolean>
}

export interface Application {
  readonly name: string
  /** The types of a first record that make a thread this application's. */
  readonly opens: readonly string[]
  /** Who may enter its threads: bearers of a token for the thread, or whoever may list all of them. */
  readonly entry: 'token' | 'operator'
  readonly runs?: ServedRuns
  readonly cancelling?: Cancelling
  readonly face: ThreadFace
  /** Adds the application's own routes. */
  routes(app: Hono, tools: { readonly access: Access; readonly quotas: Quotas }): void
  /** Ends the runs that a crash left open in one of its threads. A turn that is at work is left alone. */
  recover(thread: string): Promise<void>
  /**
   * When open work of one of its threads is next due, in milliseconds since the epoch, 0 for at once;
   * `undefined` when none is open. What is not told here is not recovered by the next start.
   */
  dueAt(thread: string): Promise<number | undefined>
  /** Changes with each setting that changes what `dueAt` answers: then all threads are looked at again. */
  readonly workVersion?: string
  /** Looks at one of its threads that has changed, perhaps by another process. */
  moved?(thread: string): Promise<void>
  /** Takes up the open work of one of its threads when it is due, while requests are served. */
  takeUp?(thread: string, dueAt: number): Promise<void>
  /** Begins work of its own in the background; called once requests are served. */
  start?(): void
  /** Lets what runs come to its end, for at most `graceMs`. */
  drain(graceMs: number): Promise<void>
}

export interface Views<State> {
  readonly state: (state: State, role: Role) => Json
  readonly record: (record: LogRecord, role: Role) => LogRecord | undefined
  /** The roles to which `record` gives every record as it is; none, unless they are named. */
  readonly whole?: readonly Role[]
}

/**
 * Makes the face of threads that one gate writes and that roles see through `views`. What roles commit may
 * make effects and deadlines due: the engine looks at the thread afterwards.
 */
export function threadFace<State>(
  gate: Gate<State>,
  views: Views<State>,
  engine: { wake(thread: string): void },
): ThreadFace {
  return {
    record: views.record,
    whole: views.whole ?? [],
    async state(thread, role, at) {
      const { seq, state } = await gate.state(thread, at, STATE_EVENTS_MAX)
      return { seq, state: views.state(state, role) }
    },
    async commit(thread, events, { role, actor, ...options }) {
      const origin = { source: 'ui', surface: role, depth: 0, ...(actor && { actor }) } as const
      const proposals = events.map((event) => ({ ...event, origin }))
      const { answers, derived, head } = await gate.commit(thread, proposals, options)
      engine.wake(thread)
      return { answers, derived, head }
    },
  }
}
