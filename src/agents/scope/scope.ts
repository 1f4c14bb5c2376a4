import type { Agent } from '../define/agent.ts'
import type { SuspendedRun, Wait } from '../../activity/index.ts'
import type { Commit, CommitOptions, Gate, GateProposal } from '../../gate/index.ts'
import type { EventLog, LogRecord, NewEvent, Origin, Person, Sha256 } from '../../log/index.ts'
import type { Json } from '../../json/index.ts'
import type { ActiveRuns } from './active-runs.ts'
import type { Budget, CallIds, Prices } from '../../step/index.ts'
import type { DueWorkLane } from '../../due-work/index.ts'
import type { ClientRequest } from './client-request.ts'
import type { Offers } from './offers.ts'
import type { Caller } from '../define/tool.ts'
import type { GivenResult } from './tool-result.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** Given values, by the names of the questions. */
export type Answered = Readonly<Record<string, Json>>

/** The data that all runs of one turn share. */
export interface TurnScope<State> {
  readonly thread: string
  /** The id of the turn's first run. */
  readonly turn: string
  readonly gate: Gate<State>
  readonly log: Pick<EventLog, 'find'>
  /** Looks up a record of the thread by its id; tries again while the store is away. */
  readonly find: (id: string) => Promise<LogRecord | undefined>
  /** The turn's outcome so far; it gets every record that `append` appends. */
  readonly outcome: TurnOutcome
  readonly append: (events: readonly NewEvent[]) => Promise<readonly LogRecord[]>
  readonly commit: (
    proposals: readonly GateProposal[],
    options: CommitOptions<State>,
  ) => Promise<Commit<State>>
  /** Who asked, for tools, instructions and approvals. */
  readonly caller: Caller
  /** Who agreed to tool calls, by the call. */
  readonly approvedBy: ReadonlyMap<string, Person>
  /** Whether a person wrote or answered something in this turn. */
  readonly typed: boolean
  /** Runs the effects that the turn waits for before it ends. */
  readonly lane: Pick<DueWorkLane<State>, 'awaits' | 'run'>
  readonly id: () => string
  readonly sha256: Sha256
  readonly prices: Prices
  readonly retryDelayMs: number
  /** Returns the tools that an agent's model may call in this turn, at a depth. */
  readonly offersOf: (agent: Agent<State>, depth: number) => Offers<State>
  /** The client's own parts of the request that began the turn. */
  readonly client: Pick<ClientRequest, 'context' | 'page'>
  /** Asks a sub-agent on behalf of a run. */
  readonly ask: (caller: RunScope<State>, asked: AskedAgent<State>) => Promise<ChainEnd<State>>
  readonly active: ActiveRuns
  readonly calls: CallIds
  /** The answers to tool calls that waited, by the call. */
  readonly answers: ReadonlyMap<string, Answered>
  /** The calls of earlier turns that another role has decided: they have a result and ask nobody. */
  readonly decided: ReadonlySet<string>
  /** The calls that a person was asked to approve and did not agree to. */
  readonly denied: ReadonlySet<string>
  /** The results of calls that waited and run no tool any more, by the call. */
  readonly given: ReadonlyMap<string, GivenResult>
  /** The calls whose results are on record with the turn's opening. */
  readonly recorded: ReadonlySet<string>
  /** Whether runs below depth 0 wait too, so that each must go on to ask again. */
  readonly mustGoOn: (rest: readonly Wait[]) => boolean
  /** The questions that an answered turn leaves open, by the call. */
  readonly stillAsked: ReadonlyMap<string, Wait>
  /** Sub-agents' runs that wait to be resumed, by the call whose result they give. */
  readonly suspended: ReadonlyMap<string, SuspendedRun>
  /** The tool calls that a run of an earlier turn left without a result. */
  readonly leftBy: (run: string) => readonly string[]
}

/** The origin of a run's own records; the origin of its model's records is made from it. */
export type RunOrigin = Origin & { readonly run: string; readonly agent: string }

/** The place of one run in the tree, and its budget. */
export interface RunScope<State> {
  readonly turn: TurnScope<State>
  readonly origin: RunOrigin
  readonly agent: Agent<State>
  /** The call of its caller that its result is for; absent at depth 0. */
  readonly parentToolCallId?: string
  /** The budget and the abort signal of its caller. */
  readonly within: { readonly signal: AbortSignal; readonly budget: Budget }
  readonly signal: AbortSignal
  readonly budget: Budget
  /** The deepest level at which a run below this one may stand. */
  readonly depthMax: number
  readonly handoffsLeft: number
  /** Tool calls that an earlier run left for this one to finish. */
  readonly resumes: readonly string[]
  readonly clicks?: Clicks
}

/** The positions before and after the person's events, while they can have completed something. */
export interface Clicks {
  readonly before: number
  readonly after: number
}

/** The agent that a call asks, or hands the conversation to. */
export interface AskedAgent<State> {
  readonly agent: Agent<State>
  readonly message: string
  readonly call: string
}

export type RunEnd<State> =
  /** `agent` is the one that had the conversation last. */
  | {
      readonly status: 'success'
      readonly text: string
      readonly agent: string
      readonly cut: 'length' | undefined
    }
  | { readonly status: 'waiting' }
  | { readonly status: 'stopped'; readonly code: string; readonly message: string }
  /** The next run's start is on record. */
  | { readonly status: 'handoff'; readonly next: RunScope<State> }

/** Makes the run that another hands over to, and the events that open it. */
export type HandOver<State> = (
  from: RunScope<State>,
  to: AskedAgent<State>,
) => { readonly next: RunScope<State>; readonly opening: readonly NewEvent[] }

/** The end of a run and of all runs that it was handed over to. */
export type ChainEnd<State> = Exclude<RunEnd<State>, { readonly status: 'handoff' }>
