import type { InputFile } from './input-file.ts'
import type { Json } from '../json/index.ts'
import type { CallerEvent, CallerEventType } from './caller-event.ts'
import { NO_USAGE, addCall } from './usage.ts'
import type { Usage } from './usage.ts'
import { GIVEN_UP_CODE } from './discarded-call.ts'
import type { Wait } from './waiting.ts'

/** Outputs of one tool call that a run keeps; older ones are counted only. */
export const OUTPUTS_KEPT_MAX = 100

/** The error of model and tool calls whose run was cancelled. */
const CANCELLED = 'cancelled'

export type RunStatus = 'working' | 'waiting' | 'done' | 'failed' | 'stopped'

interface Fault {
  readonly code: string
  readonly message: string
}

/** The state of a run; `stopped` by a person, or by a limit, with its name. */
export type RunState =
  | { readonly status: 'working'; readonly since: number }
  | { readonly status: 'waiting'; readonly waits: readonly Wait[] }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly error: Fault }
  | { readonly status: 'stopped'; readonly error: Fault | undefined }

/** A message or a thought of a model; what a call said that failed is kept and marked. */
export interface SaidItem {
  readonly kind: 'text' | 'reasoning'
  readonly key: string
  readonly messageId: string
  readonly text: string
  readonly status: 'streaming' | 'complete' | 'failed' | 'stopped' | 'cut'
}

export type ToolState =
  | { readonly status: 'working' | 'waiting' | 'stopped' }
  /** These roles decide; its run does not wait for them. */
  | { readonly status: 'pending'; readonly by: readonly string[] }
  | { readonly status: 'done'; readonly result: Json }
  | { readonly status: 'failed'; readonly error: string; readonly code: string }

export interface ToolItem {
  readonly kind: 'tool'
  /** The tool call's id. */
  readonly key: string
  readonly name: string
  readonly arguments: string
  /** Milliseconds since the epoch; `endedAt` once it has a result or was stopped. */
  readonly startedAt: number
  readonly endedAt?: number
  readonly state: ToolState
  /** The latest, at most {@link OUTPUTS_KEPT_MAX}. */
  readonly outputs: readonly Json[]
  readonly outputsDropped: number
  /** The runs that the call caused: a sub-agent's, and those that it was handed over to. */
  readonly runs: readonly RunNode[]
}

export interface AnsweredItem {
  readonly kind: 'answered'
  readonly key: string
  readonly ts: number
  /** `null` for a question that was given up. */
  readonly answers: readonly { readonly wait: Wait; readonly values: Json }[]
}

export type NoteItem =
  | { readonly kind: 'failed_attempt'; readonly attempt: number; readonly reason: string }
  | { readonly kind: 'handoff'; readonly to: string }
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  | { readonly kind: 'history_reset' }

/** One thing that happened in a run; its `key` is unique in the run. */
export type RunItem = SaidItem | ToolItem | AnsweredItem | (NoteItem & { readonly key: string })

/** One execution of one agent, with all that happened in it and below it, in order. */
export interface RunNode {
  /** The id that it is stopped and answered by: another one after each question of the top agent's. */
  readonly run: string
  /** The id that it began with. */
  readonly key: string
  readonly agent: string
  readonly depth: number
  /** The tool call that caused it. */
  readonly call: string | undefined
  readonly prompt: string
  /** Of the person's message. */
  readonly files?: readonly InputFile[]
  /** Milliseconds since the epoch; `endedAt` once it has ended. */
  readonly startedAt: number
  readonly endedAt?: number
  readonly state: RunState
  /** The working time before `state.since`, in milliseconds, without waits for a person. */
  readonly workedMs: number
  readonly items: readonly RunItem[]
  readonly step: Step | undefined
  /** The usage of its own model calls, without those of runs below it. */
  readonly usage: Usage
}

/** The model call that came last. */
interface Step {
  readonly name: string
  readonly attempt: number
  /** How many items stood before it. */
  readonly from: number
  readonly finishReason: string
}

type Changes = {
  readonly [Type in CallerEventType]: (
    node: RunNode,
    event: Extract<CallerEvent, { readonly type: Type }>,
  ) => RunNode
}

const CHANGES: Changes = {
  prompt_started: (node, { content, files, ts }) => ({
    ...node,
    state: node.state.status === 'done' ? { status: 'working', since: ts } : node.state,
    prompt: node.prompt + content,
    ...(files && { files }),
  }),
  resume_with_input: resumed,
  completion_start: stepped,
  completion_end: (node, { finishReason, usage }) => ({
    ...node,
    step: node.step && { ...node.step, finishReason },
    usage: addCall(node.usage, usage),
  }),
  chat_output: said,
  reasoning_content: said,
  tool_call: (node, { toolCallId: key, name, arguments: given, ts }) =>
    withItem(node, {
      kind: 'tool',
      key,
      name,
      arguments: given,
      startedAt: ts,
      state: { status: 'working' },
      outputs: [],
      outputsDropped: 0,
      runs: [],
    }),
  tool_output: (node, { toolCallId, output }) =>
    withTool(node, toolCallId, (tool) => {
      const outputs = [...tool.outputs, output]
      const kept = outputs.slice(-OUTPUTS_KEPT_MAX)
      const outputsDropped = tool.outputsDropped + outputs.length - kept.length
      return { ...tool, outputs: kept, outputsDropped }
    }),
  tool_result: (node, { toolCallId, result, pending: by, ts }) =>
    withTool(node, toolCallId, (tool) =>
      by
        ? { ...tool, state: { status: 'pending', by } }
        : { ...tool, endedAt: ts, state: { status: 'done', result } },
    ),
  tool_error: (node, { toolCallId, error, code, ts }) => {
    // The conversation went on: a run that waited is not resumed.
    if (code === GIVEN_UP_CODE && node.state.status === 'waiting') {
      return ended(node, { status: 'stopped', error: undefined }, ts)
    }
    const isStopped = code === CANCELLED || code === GIVEN_UP_CODE
    return withTool(node, toolCallId, (tool) =>
      isStopped
        ? { ...withStatus(tool, 'stopped'), endedAt: ts }
        : { ...tool, endedAt: ts, state: { status: 'failed', error, code } },
    )
  },
  // The call and its result are in the tool's own events, the run in its own.
  subagent_call: (node) => node,
  subagent_result: (node) => node,
  wait_for_input: (node, { waits, ts }) => ({
    ...node,
    state: { status: 'waiting', waits },
    workedMs: workedUntil(node, ts),
    items: node.items.map((item) => (isAsking(item, waits) ? withStatus(item, 'waiting') : item)),
  }),
  turn_cancelled: (node, { ts }) => {
    const inCall = node.step?.finishReason === CANCELLED
    const cut = inCall ? stepMarked(node, 'stopped') : node
    return ended(cut, { status: 'stopped', error: undefined }, ts)
  },
  turn_end: (node, event) => {
    const { reason, ts, seq, handoffTo, error = { code: '', message: '' } } = event
    if (reason === 'limit') return ended(node, { status: 'stopped', error }, ts)
    if (reason === 'error') {
      const inCall = node.step?.finishReason === error.code
      return ended(inCall ? stepMarked(node, 'failed') : node, { status: 'failed', error }, ts)
    }
    const said = event.cut ? stepMarked(node, 'cut') : node
    const done = ended(said, { status: 'done' }, ts)
    return handoffTo === undefined
      ? done
      : withItem(done, { kind: 'handoff', key: `handoff:${seq}`, to: handoffTo })
  },
  reset_history: (node, { seq }) => withItem(node, { kind: 'history_reset', key: `reset:${seq}` }),
  event: (node, { seq, name }) => withItem(node, { kind: 'event', key: `event:${seq}`, name }),
  event_refused: (node, { seq, name, reason }) =>
    withItem(node, { kind: 'refused', key: `refused:${seq}`, name, reason }),
}

export function newRun(event: CallerEvent): RunNode {
  const { run, agent, depth, call, ts } = event
  const node: RunNode = {
    run,
    key: run,
    agent,
    depth,
    call,
    prompt: '',
    startedAt: ts,
    // Where a role sees events alone, the end of their run would never show.
    state: isOfDomain(event) ? { status: 'done' } : { status: 'working', since: ts },
    workedMs: 0,
    items: [],
    step: undefined,
    usage: NO_USAGE,
  }
  return changedBy(node, event)
}

function isOfDomain({ type }: CallerEvent): boolean {
  return type === 'event' || type === 'event_refused'
}

export function changedBy(node: RunNode, event: CallerEvent): RunNode {
  // The compiler does not see that an entry is given the events that it is named for.
  const change = CHANGES[event.type] as (node: RunNode, event: CallerEvent) => RunNode
  const isDelta = event.type === 'chat_output' || event.type === 'reasoning_content'
  return change(isDelta ? node : settled(node, 'complete'), event)
}

function said(
  node: RunNode,
  event: Extract<CallerEvent, { readonly type: 'chat_output' | 'reasoning_content' }>,
): RunNode {
  const { delta, messageId, seq } = event
  const kind = event.type === 'chat_output' ? 'text' : 'reasoning'
  const at = node.items.findLastIndex((item) => item.kind === kind && item.messageId === messageId)
  const item = node.items[at]
  if (item?.kind === kind)
    return { ...node, items: node.items.with(at, { ...item, text: item.text + delta }) }
  const status = 'streaming'
  const begun = { kind, key: `${kind}:${seq}`, messageId, text: delta, status } as const
  return withItem(settled(node, 'complete'), begun)
}

function stepped(
  node: RunNode,
  { step: name, attempt = 1, seq }: Extract<CallerEvent, { readonly type: 'completion_start' }>,
): RunNode {
  const { step: before } = node
  const again = before?.name === name && before.attempt < attempt
  const { items } = again
    ? withItem(stepMarked(node, 'failed'), {
        kind: 'failed_attempt',
        key: `attempt:${seq}`,
        attempt: before.attempt,
        reason: before.finishReason,
      })
    : node
  return { ...node, items, step: { name, attempt, from: items.length, finishReason: '' } }
}

function resumed(
  node: RunNode,
  { values, ts, seq }: Extract<CallerEvent, { readonly type: 'resume_with_input' }>,
): RunNode {
  const waits = node.state.status === 'waiting' ? node.state.waits : []
  const items = node.items.map((item) =>
    item.kind === 'tool' && item.state.status === 'waiting' ? withStatus(item, 'working') : item,
  )
  const working: RunNode = { ...node, items, state: { status: 'working', since: ts } }
  // A sub-agent's run that goes on does not get the answers: they are in the run that was answered.
  if (values === null || typeof values !== 'object' || Array.isArray(values)) return working
  const given = new Map(Object.entries(values))
  const answers = waits.flatMap((wait) => {
    const answer = given.get(wait.id)
    // The result of the client's own tool stands at its call.
    if (answer === undefined || (answer === null && wait.reason === 'client_tool')) return []
    return [{ wait, values: answer }]
  })
  if (answers.length === 0) return working
  return withItem(working, { kind: 'answered', key: `answered:${seq}`, ts, answers })
}

/** Nothing goes on in a run that has ended, nor below it. */
function ended(node: RunNode, state: RunState, ts: number): RunNode {
  const { items } = settled(node, state.status === 'done' ? 'complete' : 'stopped')
  return {
    ...node,
    endedAt: ts,
    state,
    workedMs: workedUntil(node, ts),
    items: items.map((item) => (isOpen(item) ? stoppedTool(item, ts) : item)),
  }
}

function stoppedTool(tool: ToolItem, ts: number): ToolItem {
  const runs = tool.runs.map((run) =>
    run.state.status === 'working' || run.state.status === 'waiting'
      ? ended(run, { status: 'stopped', error: undefined }, ts)
      : run,
  )
  return { ...withStatus(tool, 'stopped'), endedAt: ts, runs }
}

function isOpen(item: RunItem): item is ToolItem {
  return item.kind === 'tool' && ['working', 'waiting'].includes(item.state.status)
}

function isAsking(item: RunItem, waits: readonly Wait[]): item is ToolItem {
  if (!isOpen(item)) return false
  const below = item.runs.some(({ state }) => state.status === 'waiting')
  return below || waits.some(({ toolCallId }) => toolCallId === item.key)
}

/** Marks what the model call that came last said. */
function stepMarked(node: RunNode, status: 'failed' | 'stopped' | 'cut'): RunNode {
  const from = node.step?.from ?? node.items.length
  const items = node.items.map((item, at) =>
    at >= from && isSaid(item) ? { ...item, status } : item,
  )
  return { ...node, items }
}

function settled(node: RunNode, status: 'complete' | 'stopped'): RunNode {
  const at = node.items.findLastIndex((item) => isSaid(item) && item.status === 'streaming')
  const item = node.items[at]
  if (!item || !isSaid(item)) return node
  return { ...node, items: node.items.with(at, { ...item, status }) }
}

export function isSaid(item: RunItem): item is SaidItem {
  return item.kind === 'text' || item.kind === 'reasoning'
}

function withItem(node: RunNode, item: RunItem): RunNode {
  return { ...node, items: [...node.items, item] }
}

function withTool(node: RunNode, key: string, change: (tool: ToolItem) => ToolItem): RunNode {
  const items = node.items.map((item) =>
    item.kind === 'tool' && item.key === key ? change(item) : item,
  )
  return { ...node, items }
}

function withStatus(tool: ToolItem, status: 'working' | 'waiting' | 'stopped'): ToolItem {
  return { ...tool, state: { status } }
}

function workedUntil({ state, workedMs }: RunNode, ts: number): number {
  return state.status === 'working' ? workedMs + Math.max(0, ts - state.since) : workedMs
}
