import type { NewEvent, Origin } from '../log/index.ts'
import { agentEvent } from './agent-event.ts'
import { discardedResult } from './discarded-call.ts'
import type { Pauses } from './pauses.ts'
import { closeItems } from './runs.ts'
import type { OpenCall, OpenRun } from './runs.ts'

/** The folds of a thread's open runs; part of a snapshot. */
export interface OpenActivity {
  readonly openRuns: readonly OpenRun[]
  readonly pauses: Pick<Pauses, 'left'>
}

interface FailureReason {
  readonly message: string
  readonly code: string
}

const CANCELLED: FailureReason = { code: 'cancelled', message: 'The run was stopped' }
const UNANSWERED = 'The run was stopped before this call was answered'

/**
 * The events that end the open runs of a thread, the deepest run first: results for calls in flight, what
 * closes each open item, and the run's end. A run whose last model call counted ends well; one that was
 * cancelled ends cancelled, with all runs below it; any other fails with the reason that is given. Pure.
 */
export function endOpenRuns(activity: OpenActivity, why: FailureReason): readonly NewEvent[] {
  return activity.openRuns.toReversed().flatMap((run) => {
    const by = cancellerOf(run, activity.openRuns)
    const { code } = by === undefined ? why : CANCELLED
    return [...closeRun(run, activity, code), end(run, by, why)]
  })
}

/**
 * The events before the end of an open run: a failed result with this code for each call in flight, and
 * the events that close open items. Pure.
 */
export function closeRun(run: OpenRun, activity: OpenActivity, code: string): readonly NewEvent[] {
  const isIncomplete = ({ toolCallId }: OpenCall): boolean =>
    run.openItems.some(({ kind, id }) => kind === 'tool call' && id === toolCallId)
  const incomplete = run.calls.filter(isIncomplete)
  const complete = run.calls.filter((call) => !isIncomplete(call))
  return [
    ...[...leftTo(run, activity), ...complete].map((call) => result(run, call, code)),
    // The text of a run that a person stopped counts as said.
    ...closeItems(run, code === 'cancelled' ? undefined : code),
    ...incomplete.map((call) => result(run, call, code)),
  ]
}

/** Returns the canceller on record of an open run or of one above it. Pure. */
export function cancellerOf(run: OpenRun, open: readonly OpenRun[]): string | undefined {
  // Each run above it started before it, so the walk ends.
  for (let at = open.indexOf(run); at >= 0;) {
    const each = open[at]
    if (each?.cancelledBy !== undefined) return each.cancelledBy
    const above = each?.origin.parentRun
    at = open.slice(0, at).findLastIndex(({ runId }) => runId === above)
  }
  return undefined
}

/** The calls of an earlier run that this one was resumed to answer. */
function leftTo({ runId }: OpenRun, { pauses }: OpenActivity): readonly LeftCall[] {
  return pauses.left
    .filter(({ run }) => run === runId)
    .map(({ toolCallId, late }) => ({ toolCallId, counts: true, late }))
}

interface LeftCall extends OpenCall {
  readonly late?: string | undefined
}

function result(run: OpenRun, { toolCallId, counts, late }: LeftCall, code: string): NewEvent {
  const origin = systemOf(run)
  const tag = origin.depth > 0 ? { subagentRunId: run.runId } : {}
  // The call's id is used once in a thread, and so is its result's.
  const call = { messageId: `${toolCallId}_result`, toolCallId, ...tag }
  if (!counts) return discardedResult(call, origin)
  const metadata = { throughline: { error: code, ...(late !== undefined && { late }) } }
  const data = { ...call, content: UNANSWERED, role: 'tool' as const, metadata }
  return agentEvent('TOOL_CALL_RESULT', data, origin)
}

function end(run: OpenRun, by: string | undefined, why: FailureReason): NewEvent {
  const { runId, thread: threadId, settled } = run
  const origin = systemOf(run)
  if (origin.depth > 0) {
    const { message, code } = by === undefined ? why : CANCELLED
    return agentEvent('SUBAGENT_ERROR', { subagentRunId: runId, message, code }, origin)
  }
  const usage = run.usage.length === 0 ? {} : { usage: [...run.usage] }
  if (by !== undefined) {
    const outcome = { type: 'cancelled' as const }
    const data = { threadId, runId, outcome, ...usage, metadata: { stoppedBy: by } }
    return agentEvent('RUN_FINISHED', data, origin)
  }
  if (!settled) return agentEvent('RUN_ERROR', { ...why, ...usage }, origin)
  const outcome = { type: 'success' as const }
  return agentEvent('RUN_FINISHED', { threadId, runId, outcome, ...usage }, origin)
}

function systemOf({ origin }: OpenRun): Origin {
  return { ...origin, source: 'system' }
}
