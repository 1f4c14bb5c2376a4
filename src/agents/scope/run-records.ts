import { agentEvent, interruptOf } from '../../activity/index.ts'
import type { Wait } from '../../activity/index.ts'
import type { Json } from '../../json/index.ts'
import type { NewEvent, Origin } from '../../log/index.ts'
import type { WaitAnswer } from './answers.ts'
import type { Answered, RunOrigin, RunScope } from './scope.ts'
import type { WireRun } from './client-request.ts'
import type { StopReason } from './stop-reason.ts'
import { customTagged } from '../../step/index.ts'

export function resumeStarted(
  person: RunOrigin,
  threadId: string,
  { answers, digest, wire, role }: GivenAnswers,
): NewEvent {
  const resume = answers.map(({ wait, status, values }) => ({
    interruptId: wait.id,
    status,
    ...(values && status === 'resolved' ? { payload: values } : {}),
  }))
  return runStarted(person, threadId, { resume, digest, wire, answeredAs: role })
}

export interface GivenAnswers {
  readonly answers: readonly WaitAnswer[]
  /** The role of who answers. */
  readonly role?: string | undefined
  readonly digest?: string | undefined
  readonly wire?: RecordedWire | undefined
}

/** A run as its client knows it, with the ids of the messages that came with it. */
export interface RecordedWire extends WireRun {
  readonly messages: readonly string[]
}

/** Returns the opening events of a run after a hand-off: the same caller, the same depth. */
export function handoffOpening<State>(
  scope: RunScope<State>,
  from: { readonly agent: string; readonly message: string },
): readonly NewEvent[] {
  const { origin, turn } = scope
  const told = from.message === '' ? '' : `: ${from.message}`
  const note = `[The agent "${from.agent}" hands this conversation over to you${told}]`
  const opening =
    origin.depth === 0 ? runStarted(origin, turn.thread) : subagentStarted(scope, from.message)
  return [opening, customTagged('note', note, origin)]
}

/** History and tools are the log's and the agent's: the caller that resumes brings neither. */
const NO_INPUT = { messages: [], tools: [], context: [] }

/** The first record of a run at depth 0. Its id is the run's, so that the run is found by it. */
export function runStarted(
  origin: RunOrigin,
  threadId: string,
  { digest, resume, wire, answeredAs, again }: RunStart = {},
): NewEvent {
  const { run: runId } = origin
  const metadata = {
    ...(digest !== undefined && { request: digest }),
    ...(answeredAs !== undefined && { throughline: { answeredAs } }),
    ...(again && { throughline: { again } }),
  }
  const data = {
    threadId,
    runId,
    ...(resume && { input: { ...NO_INPUT, threadId, runId, resume: [...resume] } }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(wire === undefined ? {} : { wire: { ...wire, messages: [...wire.messages] } }),
  }
  return { ...agentEvent('RUN_STARTED', data, origin), id: runId }
}

interface RunStart {
  readonly digest?: string | undefined
  readonly answeredAs?: string | undefined
  /** A crash cut the turn off before. */
  readonly again?: true
  readonly resume?: readonly {
    readonly interruptId: string
    readonly status: 'resolved' | 'cancelled'
    readonly payload?: Answered
  }[]
  readonly wire?: RecordedWire | undefined
}

/** The first record of a sub-agent's run; `continued` when the run stopped to ask and is resumed. */
export function subagentStarted<State>(
  { origin, parentToolCallId, turn }: RunScope<State>,
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
  readonly handoffTo?: string
  readonly cut?: 'length' | undefined
  /** Of a program, besides its text. */
  readonly result?: Json | undefined
  /** Whether the result is the `output` that its agent declares. */
  readonly hasOutput?: boolean
}

export function successEnding<State>(
  { origin, turn, budget }: RunScope<State>,
  { text, handoffTo, cut, result, hasOutput }: SuccessEnding,
): NewEvent {
  const outcome = { type: 'success' as const }
  const throughline = {
    ...(handoffTo !== undefined && { handoffTo }),
    ...(cut && { cut }),
    ...(hasOutput && { hasOutput }),
  }
  const ours = Object.keys(throughline).length === 0 ? {} : { metadata: { throughline } }
  const { run } = origin
  if (origin.depth > 0) {
    const data = { subagentRunId: run, result: text, outcome, ...ours }
    return agentEvent('SUBAGENT_FINISHED', data, origin)
  }
  const given = { ...(result !== undefined && { result }), ...ours }
  const data = { threadId: turn.thread, runId: run, outcome, usage: budget.usage, ...given }
  return agentEvent('RUN_FINISHED', data, origin)
}

/** Stopped on purpose, by a person or a limit: cancelled, as AG-UI has it; failed: an error. */
export function stopEnding<State>(
  { origin, turn, budget }: RunScope<State>,
  { code, message, by, until }: StopReason,
): NewEvent {
  const { run } = origin
  if (origin.depth > 0) {
    return agentEvent('SUBAGENT_ERROR', { subagentRunId: run, message, code }, origin)
  }
  if (code !== 'cancelled' && !code.startsWith('limit_')) {
    return agentEvent('RUN_ERROR', { message, code, usage: budget.usage }, origin)
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
    usage: budget.usage,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
  return agentEvent('RUN_FINISHED', data, origin)
}

/**
 * Ends a run that waits, with its `waits` in the order of their calls. A caller's own tools are no
 * interrupt in AG-UI: the run ends well, with the calls that it made and that are left to answer.
 * Where AG-UI lists fewer calls than are pending, our metadata lists them all: a run that is interrupted
 * lists none, and no run lists those of an earlier one.
 */
export function waitEnding<State>(
  { origin, turn, parentToolCallId, budget }: RunScope<State>,
  waits: readonly Wait[],
): NewEvent {
  const { run } = origin
  const interrupts = waits.filter(({ reason }) => reason !== 'client_tool')
  const pending = waits.filter(({ reason }) => reason === 'client_tool')
  if (origin.depth > 0) {
    const outcome = { type: 'suspended' as const, interruptIds: interrupts.map(({ id }) => id) }
    const clientWaits = pending.length === 0 ? {} : { clientWaits: pending.map(({ id }) => id) }
    const metadata = { throughline: { parentToolCallId, ...clientWaits } }
    return agentEvent('SUBAGENT_FINISHED', { subagentRunId: run, outcome, metadata }, origin)
  }
  const all = pending.map(({ toolCallId }) => toolCallId)
  const made = all.filter((call) => interrupts.length === 0 && !turn.stillAsked.has(call))
  const outcome =
    interrupts.length === 0
      ? { type: 'success' as const, ...(made.length > 0 && { pendingToolCallIds: made }) }
      : { type: 'interrupt' as const, interrupts: interrupts.map(interruptOf) }
  const isListed = made.length === all.length
  const ours = isListed ? {} : { metadata: { throughline: { pendingToolCallIds: all } } }
  const data = { threadId: turn.thread, runId: run, outcome, usage: budget.usage, ...ours }
  return agentEvent('RUN_FINISHED', data, origin)
}

export function waitRecord(
  { agent: _agent, depth: _depth, run: _run, ...wait }: Wait,
  origin: Origin,
): NewEvent {
  return customTagged('wait_for_input', wait, origin)
}

/** A run that resumes a waiting one only to end it: no answer will come. */
export function cancelledOpening(
  threadId: string,
  origin: RunOrigin,
  waits: readonly Wait[],
): readonly [started: NewEvent, ended: NewEvent] {
  const resume = waits.map(({ id }) => ({ interruptId: id, status: 'cancelled' as const }))
  const outcome = { type: 'cancelled' as const }
  return [
    runStarted(origin, threadId, { resume }),
    agentEvent('RUN_FINISHED', { threadId, runId: origin.run, outcome }, origin),
  ]
}
