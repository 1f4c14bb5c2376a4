import type { TokenUsage } from '@ag-ui/core'
import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { customValue, ourMetadata, turnOf } from './agent-event.ts'
import { membersOf, textOf } from '../json/index.ts'
import { ITEMS, ITEM_ROLES } from './items.ts'
import type { ItemKind, ItemRole } from './items.ts'
import { addTokenUsage } from './usage.ts'

/** A run that has started and not ended, with its open items, oldest first. */
export interface OpenRun {
  readonly runId: string
  /** As on the record that started it. */
  readonly origin: Origin
  readonly thread: string
  readonly openItems: readonly OpenItem[]
  /** The tool calls that it made and that have no result. */
  readonly calls: readonly OpenCall[]
  /** The last model call of the turn counted: the run ends well, even if effects are still due. */
  readonly settled: boolean
  /** The canceller of the run or its turn, if the cancel came before the run was settled. */
  readonly cancelledBy?: string
  /** At depth 0, what the run and all below it used, one entry for each model. */
  readonly usage: readonly TokenUsage[]
}

export interface OpenCall {
  readonly toolCallId: string
  /** The model call that made it ended well, so its tool may have run. */
  readonly counts: boolean
}

/** A message, a tool call, a step or the like that has started and not ended. */
export interface OpenItem {
  readonly kind: ItemKind
  readonly id: string
}

const RUN_ENDS: ReadonlySet<string> = new Set([
  'RUN_FINISHED',
  'RUN_ERROR',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
])

/** Folds records into the runs that are still open, in the order in which they started. Pure. */
export function foldOpenRuns(
  open: readonly OpenRun[],
  records: Iterable<LogRecord>,
): readonly OpenRun[] {
  for (const record of records) open = foldOne(open, record)
  return open
}

/** Whether a record ends a run, of whatever depth. */
export function endsRun({ type }: Pick<LogRecord, 'type'>): boolean {
  return RUN_ENDS.has(type)
}

/** Whether a record starts a run, at any depth, or resumes one that waited. */
export function startsRun({ type }: Pick<LogRecord, 'type'>): boolean {
  return type === 'RUN_STARTED' || type === 'SUBAGENT_STARTED'
}

/** The run or turn that a record cancels, and who asked for it. */
export function cancelOf(
  record: LogRecord,
): { readonly run: string; readonly by: string } | undefined {
  const request = customValue(record, 'cancel_requested')
  return request === undefined
    ? undefined
    : { run: textOf(request, 'run'), by: textOf(request, 'by') }
}

/** The events that close what an open run left open, the last first. */
export function closeItems(
  { openItems, runId, origin }: OpenRun,
  failed?: string,
): readonly NewEvent[] {
  const tag = origin.depth > 0 ? { subagentRunId: runId } : {}
  const mark = failed === undefined ? {} : { metadata: { throughline: { failed } } }
  return openItems.toReversed().map(({ kind, id }) => ({
    type: ITEMS[kind].closes,
    data: { [ITEMS[kind].id]: id, ...tag, ...(kind === 'text message' && mark) },
    origin: { ...origin, source: 'system' },
  }))
}

function foldOne(open: readonly OpenRun[], record: LogRecord): readonly OpenRun[] {
  const { type, origin } = record
  if (startsRun(record)) return [...open, startedRun(record)]
  if (open.length === 0) return open
  if (endsRun(record)) return open.filter(({ runId }) => runId !== origin.run)
  if (type === 'CUSTOM') return withOurs(open, record)
  if (type === 'TOOL_CALL_RESULT') return withoutCall(open, record)
  const item = ITEM_ROLES.get(type)
  if (!item || item.role === 'continues') return open
  return open.map((run) => (run.runId === origin.run ? changedBy(run, record, item) : run))
}

function startedRun({ data, origin, thread }: LogRecord): OpenRun {
  const runId = textOf(data, 'runId') || textOf(data, 'subagentRunId')
  return { runId, origin, thread, openItems: [], calls: [], settled: false, usage: [] }
}

/** An item that the run opens or closes, and what that says of the run. */
function changedBy(run: OpenRun, { data, origin }: LogRecord, { kind, role }: ItemRole): OpenRun {
  const id = textOf(data, ITEMS[kind].id)
  if (role === 'closes') {
    const openItems = run.openItems.filter((item) => item.kind !== kind || item.id !== id)
    const settles = kind === 'step' && ourMetadata(data)['settles'] === true
    return { ...run, openItems, settled: run.settled || (settles && origin.depth === 0) }
  }
  const openItems = [...run.openItems, { kind, id }]
  if (kind === 'step') return { ...run, openItems, settled: false }
  if (kind !== 'tool call') return { ...run, openItems }
  return { ...run, openItems, calls: [...run.calls, { toolCallId: id, counts: false }] }
}

function withoutCall(open: readonly OpenRun[], { data }: LogRecord): readonly OpenRun[] {
  const id = textOf(data, 'toolCallId')
  return open.map((run) =>
    run.calls.some(({ toolCallId }) => toolCallId === id)
      ? { ...run, calls: run.calls.filter(({ toolCallId }) => toolCallId !== id) }
      : run,
  )
}

function withOurs(open: readonly OpenRun[], record: LogRecord): readonly OpenRun[] {
  const output = customValue(record, 'model_output')
  if (output !== undefined) return withOutput(open, record, output)
  const cancel = cancelOf(record)
  if (!cancel) return open
  const { run: cancelled, by } = cancel
  return open.map((run) => {
    const isMeant = run.runId === cancelled || turnOf(run) === cancelled
    return isMeant && !run.settled ? { cancelledBy: by, ...run } : run
  })
}

function withOutput(open: readonly OpenRun[], record: LogRecord, output: Json): readonly OpenRun[] {
  const given = membersOf(output)['toolCalls']
  const made: ReadonlySet<unknown> = new Set(Array.isArray(given) ? given : [])
  const turn = turnOf(record)
  return open.map((run) => {
    const calls =
      run.runId === record.origin.run && made.size > 0
        ? run.calls.map((call) => (made.has(call.toolCallId) ? { ...call, counts: true } : call))
        : run.calls
    const isTop = run.origin.depth === 0 && turnOf(run) === turn
    return { ...run, calls, usage: isTop ? addTokenUsage(run.usage, output) : run.usage }
  })
}
