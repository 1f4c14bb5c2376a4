import type { TokenUsage } from '@ag-ui/core'
import { agentEvent, interruptOf } from '../activity/index.ts'
import type { Wait } from '../activity/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Answered, RecordedRun } from './scope.ts'
import type { StopReason } from './stop-reason.ts'
import { customTagged } from '../step/index.ts'

/** What opens a run that goes on where another stopped to ask. */
export function resumeOpening(
  { origin, turn }: RecordedRun,
  { answers, actor, digest }: GivenAnswers,
): readonly NewEvent[] {
  const resume = answers.map(({ wait, values }) => ({
    interruptId: wait.id,
    status: 'resolved' as const,
    payload: values,
  }))
  // A person's words, as a prompt is: a tag in them is no proposal of the model that repeats it.
  const person = { ...origin, source: 'ui', ...(actor === undefined ? {} : { actor }) } as const
  return [runStarted(person, turn.thread, { resume, digest })]
}

export interface GivenAnswers {
  readonly answers: readonly { readonly wait: Wait; readonly values: Answered }[]
  /** Who gave them, as an opaque id. */
  readonly actor?: string | undefined
  readonly digest?: string | undefined
}

/** What opens the run that another hands over to: the same caller, the same depth. */
export function handoffOpening(
  scope: RecordedRun,
  from: { readonly agent: string; readonly message: string },
): readonly NewEvent[] {
  const { origin, turn } = scope
  const told = from.message === '' ? '' : `: ${from.message}`
  const note = `[The agent "${from.agent}" hands this conversation over to you${told}]`
  const opening =
    origin.depth === 0 ? runStarted(origin, turn.thread) : announced(scope, from.message)
  return [opening, customTagged('note', note, origin)]
}

/** What opens a sub-agent's run. */
export function subagentOpening(scope: RecordedRun, message: string): readonly NewEvent[] {
  return [announced(scope, message)]
}

/** What takes up a sub-agent's run that stopped to ask. */
export function continuedOpening(scope: RecordedRun): readonly NewEvent[] {
  return [announced(scope, '', { continued: true })]
}

/** History and tools are the log's and the agent's: whoever resumes brings neither. */
const NO_INPUT = { messages: [], tools: [], context: [] }

/** The first record of a run at depth 0. Its id is the run's, so that the run is found by it. */
export function runStarted(
  origin: RecordedRun['origin'],
  threadId: string,
  { digest, resume }: { readonly digest?: string | undefined; readonly resume?: Resume } = {},
): NewEvent {
  const { run: runId } = origin
  const data = {
    threadId,
    runId,
    ...(resume && { input: { ...NO_INPUT, threadId, runId, resume: [...resume] } }),
    ...(digest === undefined ? {} : { metadata: { request: digest } }),
  }
  return { ...agentEvent('RUN_STARTED', data, origin), id: runId }
}

type Resume = readonly {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: Answered
}[]

function announced(
  { origin, parentToolCallId, turn }: RecordedRun,
  description: string,
  ours?: { readonly continued: true },
): NewEvent {
  const { run, agent, parentRun, depth } = origin
  return agentEvent(
    'SUBAGENT_STARTED',
    {
      subagentRunId: run,
      name: agent,
      ...(description === '' ? {} : { description }),
      ...(depth > 1 && parentRun !== undefined && parentRun !== turn.turn
        ? { parentSubagentRunId: parentRun }
        : {}),
      ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
      ...(ours ? { metadata: { throughline: ours } } : {}),
    },
    origin,
  )
}

export interface SuccessEnding {
  readonly text: string
  readonly usage: readonly TokenUsage[]
  readonly handoffTo?: string
}

export function successEnding(
  { origin, turn }: RecordedRun,
  { text, usage, handoffTo }: SuccessEnding,
): NewEvent {
  const outcome = { type: 'success' as const }
  const ours = handoffTo === undefined ? {} : { metadata: { throughline: { handoffTo } } }
  const { run } = origin
  if (origin.depth > 0) {
    const data = { subagentRunId: run, result: text, outcome, ...ours }
    return agentEvent('SUBAGENT_FINISHED', data, origin)
  }
  const data = { threadId: turn.thread, runId: run, outcome, usage: [...usage], ...ours }
  return agentEvent('RUN_FINISHED', data, origin)
}

/** Stopped on purpose, by a person or a limit: cancelled, as AG-UI has it; failed: an error. */
export function stopEnding(
  { origin, turn }: RecordedRun,
  { code, message, by, until, usage }: StopReason & { readonly usage: readonly TokenUsage[] },
): NewEvent {
  const { run } = origin
  if (origin.depth > 0) {
    return agentEvent('SUBAGENT_ERROR', { subagentRunId: run, message, code }, origin)
  }
  if (code !== 'cancelled' && !code.startsWith('limit_')) {
    return agentEvent('RUN_ERROR', { message, code, usage: [...usage] }, origin)
  }
  const limit = { code, message, ...(until === undefined ? {} : { until }) }
  const metadata = {
    ...(by === undefined ? {} : { stoppedBy: by }),
    ...(code === 'cancelled' ? {} : { throughline: limit }),
  }
  const data = {
    threadId: turn.thread,
    runId: run,
    outcome: { type: 'cancelled' as const },
    usage: [...usage],
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
  return agentEvent('RUN_FINISHED', data, origin)
}

/**
 * Ends a run that waits. A caller's own tools are no interrupt in AG-UI: the run ends well, with the
 * calls that are left to answer.
 */
export function waitEnding(
  { origin, turn, parentToolCallId }: RecordedRun,
  waits: readonly Wait[],
  usage: readonly TokenUsage[],
): NewEvent {
  const { run } = origin
  if (origin.depth > 0) {
    const outcome = { type: 'suspended' as const, interruptIds: waits.map(({ id }) => id) }
    const metadata = { throughline: { parentToolCallId } }
    return agentEvent('SUBAGENT_FINISHED', { subagentRunId: run, outcome, metadata }, origin)
  }
  const ours = waits.every(({ reason }) => reason === 'client_tool')
  const outcome = ours
    ? {
        type: 'success' as const,
        pendingToolCallIds: waits.map(({ toolCallId }) => toolCallId),
      }
    : { type: 'interrupt' as const, interrupts: waits.map(interruptOf) }
  const data = { threadId: turn.thread, runId: run, outcome, usage: [...usage] }
  return agentEvent('RUN_FINISHED', data, origin)
}

/** Puts on record what a tool asks for. */
export function waitRecord(
  { agent: _agent, depth: _depth, run: _run, ...wait }: Wait,
  origin: Origin,
): NewEvent {
  return customTagged('wait_for_input', wait, origin)
}

/** A run that takes up one that waits only to end it: nobody will answer. */
export function cancelledOpening(
  threadId: string,
  origin: RecordedRun['origin'],
  waits: readonly Wait[],
): readonly NewEvent[] {
  const resume = waits.map(({ id }) => ({ interruptId: id, status: 'cancelled' as const }))
  const outcome = { type: 'cancelled' as const }
  return [
    runStarted(origin, threadId, { resume }),
    agentEvent('RUN_FINISHED', { threadId, runId: origin.run, outcome }, origin),
  ]
}
