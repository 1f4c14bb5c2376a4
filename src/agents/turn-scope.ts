import { DAY_MS } from '../activity/index.ts'
import type { Waiting } from '../activity/index.ts'
import type { Snapshot } from '../thread/index.ts'
import type { EventLog } from '../log/index.ts'
import type { ActiveTurn } from './active-runs.ts'
import type { WaitAnswer } from './answers.ts'
import { Budget, CallIds } from '../step/index.ts'
import type { ThreadLimits } from '../step/index.ts'
import { askAgent } from './run-chain.ts'
import type { TurnScope } from './scope.ts'
import { TurnOutcome } from './turn-outcome.ts'

/** What all turns of one thread's agents share. */
export interface SharedScope<State> extends Pick<
  TurnScope<State>,
  'gate' | 'id' | 'sha256' | 'prices' | 'retryDelayMs' | 'offersOf' | 'active' | 'lane'
> {
  readonly log: EventLog
}

export interface TurnScopeRequest<State> {
  readonly turn: ActiveTurn
  readonly fence: number
  readonly snapshot: Snapshot<State>
  /** What a turn that resumes goes on with. */
  readonly resumed?: { readonly waiting: Waiting; readonly answers: readonly WaitAnswer[] }
  readonly typed: boolean
}

/** Makes what the runs of one turn share, with what an earlier turn left to finish. */
export function turnScope<State>(
  { log, ...shared }: SharedScope<State>,
  { turn: { thread, turn }, snapshot, resumed, typed, fence }: TurnScopeRequest<State>,
): TurnScope<State> {
  const { suspended } = snapshot.pauses
  const { waiting, answers = [] } = resumed ?? {}
  const outcome = new TurnOutcome(turn)
  const { gate } = shared
  return {
    ...shared,
    thread,
    turn,
    outcome,
    append: async (events) => {
      const records = await gate.append(thread, events, { fence })
      outcome.take(records)
      return records
    },
    commit: async (proposals, options) => {
      const commit = await gate.commit(thread, proposals, { ...options, fence })
      outcome.take(commit.records)
      return commit
    },
    typed,
    ask: askAgent,
    calls: new CallIds({ log, thread, id: shared.id }),
    answers: new Map(
      answers.map(({ wait, values }) => [wait.toolCallId, { ...wait.answered, ...values }]),
    ),
    suspended: new Map(suspended.map((each) => [each.parentToolCallId, each])),
    leftBy: (left) => [
      ...(waiting?.waits ?? []).filter(({ run }) => run === left).map((wait) => wait.toolCallId),
      ...suspended
        .filter(({ origin }) => origin.parentRun === left)
        .map(({ parentToolCallId }) => parentToolCallId),
    ],
  }
}

/** A thread as its budget is made from it. */
export interface BudgetedThread {
  readonly thread: string
  readonly snapshot: Pick<Snapshot<unknown>, 'usage' | 'dayUsage'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What is left of what a thread may use; calls that told nothing count as what was set aside for them. */
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

/** Where the oldest tool call stands that a turn which waits is to finish. */
export function firstReferred<State>(
  { conversation, pauses }: Snapshot<State>,
  { waits }: Waiting,
): number | undefined {
  const left = new Set([
    ...waits.map(({ toolCallId }) => toolCallId),
    ...pauses.suspended.map(({ parentToolCallId }) => parentToolCallId),
  ])
  const lists = [conversation.messages, ...Object.values(conversation.nested)]
  const seqs = lists
    .flat()
    .flatMap(({ role, id, seq }) => (role === 'call' && left.has(id) ? [seq] : []))
  return seqs.length === 0 ? undefined : Math.min(...seqs)
}
