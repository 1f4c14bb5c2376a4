import { DAY_MS } from '../../activity/index.ts'
import type { WaitingTurn } from '../../activity/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import type { EventLog, Person } from '../../log/index.ts'
import type { ActiveTurn } from '../scope/active-runs.ts'
import type { Agent } from '../define/agent.ts'
import { callsOf } from '../scope/answers.ts'
import type { MatchedAnswers, WaitAnswer } from '../scope/answers.ts'
import { offersInTurn } from '../tools/client-tools.ts'
import type { ClientOffers } from '../tools/client-tools.ts'
import type { Offers } from '../scope/offers.ts'
import type { Caller } from '../define/tool.ts'
import { Budget, CallIds } from '../../step/index.ts'
import type { ThreadLimits } from '../../step/index.ts'
import { askAgent } from '../run/run-chain.ts'
import { callSeqs } from '../scope/run-messages.ts'
import type { TurnScope } from '../scope/scope.ts'
import { TurnOutcome } from '../scope/turn-outcome.ts'

/** The data that all turns of one thread's agents share. */
export interface SharedScope<State> extends Pick<
  TurnScope<State>,
  'gate' | 'id' | 'sha256' | 'prices' | 'retryDelayMs' | 'active' | 'lane'
> {
  readonly log: EventLog
  readonly offersOf: (agent: Agent<State>) => Offers<State>
}

/** The answers and open items that a resumed turn continues with. */
export interface Resumed extends MatchedAnswers {
  readonly waiting: WaitingTurn
}

export interface TurnScopeRequest<State> {
  readonly turn: ActiveTurn
  readonly fence: number
  readonly snapshot: Snapshot<State>
  readonly resumed?: Resumed
  /** The answers to approvals that another role was asked for, in an earlier turn. */
  readonly decided?: readonly WaitAnswer[]
  readonly caller: Caller
  /** Who answered. */
  readonly answerer?: Person
  readonly typed: boolean
  readonly client?: ClientOffers
}

/** Makes what the runs of one turn share, with what an earlier turn left to finish. */
export function turnScope<State>(
  { log, ...shared }: SharedScope<State>,
  { turn: { thread, turn }, snapshot, resumed, fence, client, ...request }: TurnScopeRequest<State>,
): TurnScope<State> {
  const { suspended } = snapshot.pauses
  const { caller, typed, decided = [], answerer } = request
  const { waiting, answers: resumedWith = [], rest = [] } = resumed ?? {}
  const answers = [...resumedWith, ...decided]
  const known = answers.filter(({ wait, result }) => result && wait.run === waiting?.run)
  const recorded = new Set(known.map(({ wait }) => wait.toolCallId))
  const outcome = new TurnOutcome(turn)
  const { gate } = shared
  const find = (id: string) => gate.untilRecorded(thread, () => log.find(thread, id))
  return {
    ...shared,
    log,
    find,
    offersOf: client ? offersWith(shared.offersOf, client) : shared.offersOf,
    client: client ?? {},
    thread,
    turn,
    outcome,
    append: async (events) => {
      if (events.length === 0) return []
      const records = await gate.append(thread, events, { fence, mustRecord: true })
      outcome.take(records)
      return records
    },
    commit: async (proposals, options) => {
      const commit = await gate.commit(thread, proposals, { mustRecord: true, ...options, fence })
      outcome.take(commit.records)
      return commit
    },
    caller,
    approvedBy: approversIn(answers, answerer),
    typed,
    ask: askAgent,
    calls: new CallIds({ find, thread, id: shared.id }),
    answers: new Map(
      answers.map(({ wait, values }) => [wait.toolCallId, { ...wait.answered, ...values }]),
    ),
    decided: new Set(decided.map(({ wait }) => wait.toolCallId)),
    denied: new Set(answers.filter(isDenied).map(({ wait }) => wait.toolCallId)),
    given: new Map(
      answers.flatMap(({ wait, result }) => (result ? [[wait.toolCallId, result] as const] : [])),
    ),
    recorded,
    mustGoOn: (rest) =>
      rest.some(({ run }) => run !== waiting?.run) ||
      suspended.some((each) => each.turn === waiting?.turn),
    stillAsked: new Map(rest.map((wait) => [wait.toolCallId, wait])),
    suspended: new Map(suspended.map((each) => [each.parentToolCallId, each])),
    leftBy: (run) =>
      callsOf({ run, waits: waiting?.waits ?? [] }, snapshot.pauses).filter(
        (call) => !recorded.has(call),
      ),
  }
}

function isDenied({ wait, values }: WaitAnswer): boolean {
  return wait.reason === 'tool_approval' && values?.['approved'] === false
}

function approversIn(
  answers: readonly WaitAnswer[],
  answerer: Person = {},
): ReadonlyMap<string, Person> {
  return new Map(
    answers.flatMap(({ wait }) => {
      const by = wait.reason === 'tool_approval' ? answerer : (wait.approvedBy ?? {})
      return Object.keys(by).length === 0 ? [] : [[wait.toolCallId, by] as const]
    }),
  )
}

function offersWith<State>(
  offersOf: SharedScope<State>['offersOf'],
  client: ClientOffers,
): TurnScope<State>['offersOf'] {
  const made = {
    top: new Map<Agent<State>, Offers<State>>(),
    below: new Map<Agent<State>, Offers<State>>(),
  }
  return (agent, depth) => {
    const known = depth === 0 ? made.top : made.below
    // An agent on another server gets the context as it is.
    const { tools } = client
    const given = agent.program?.source === 'remote' ? { ...(tools && { tools }) } : client
    const offers = known.get(agent) ?? offersInTurn(offersOf(agent), given, depth)
    known.set(agent, offers)
    return offers
  }
}

/** A thread as its budget is made from it. */
export interface BudgetedThread {
  readonly thread: string
  readonly snapshot: Pick<Snapshot<unknown>, 'usage' | 'dayUsage'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** The rest of a thread's budget; calls that reported no usage count as the tokens reserved for them. */
export function threadBudget(
  { thread, snapshot, now }: BudgetedThread,
  limits: ThreadLimits,
): Budget {
  const { tokens = Number.POSITIVE_INFINITY, cost = Number.POSITIVE_INFINITY } = limits
  const { inputTokens = 0, outputTokens = 0, unreportedTokens = 0 } = snapshot.usage.total
  const { cost: spent = 0, unreportedCost = 0 } = snapshot.usage.total
  const owner = `the thread "${thread}"`
  const whole = new Budget({
    owner,
    limits: { tokens, cost },
    used: { tokens: inputTokens + outputTokens + unreportedTokens, cost: spent + unreportedCost },
  })
  const { tokensPerDay } = limits
  if (tokensPerDay === undefined) return whole
  const { dayUsage } = snapshot
  const today = (): number => Math.max(Math.floor(now() / DAY_MS), dayUsage.day)
  return new Budget({
    owner,
    limits: { tokens: tokensPerDay, cost: Number.POSITIVE_INFINITY },
    used: { tokens: today() === dayUsage.day ? dayUsage.tokens : 0 },
    renewsAt: () => (today() + 1) * DAY_MS,
    within: whole,
  })
}

/** Returns the seq of the oldest tool call that a waiting turn must finish. */
export function firstReferred<State>(
  { conversation, pauses }: Snapshot<State>,
  { waits }: WaitingTurn,
): number | undefined {
  const left = [
    ...waits.map(({ toolCallId }) => toolCallId),
    ...pauses.suspended.map(({ parentToolCallId }) => parentToolCallId),
  ]
  const seqs = callSeqs(conversation)
  const known = left.flatMap((call) => seqs.get(call) ?? [])
  return known.length === 0 ? undefined : Math.min(...known)
}
