import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { textOf } from '../json/index.ts'

/** A run that has started and not ended, with what it left open, oldest first. */
export interface OpenRun {
  readonly runId: string
  /** As on the record that started it. */
  readonly origin: Origin
  readonly openItems: readonly OpenItem[]
  /** Its last model call counted: it ends well. */
  readonly settled?: true
  readonly cancelledBy?: string
}

/** A message, a tool call, a step or the like that has started and not ended. */
export interface OpenItem {
  readonly closes: string
  readonly id: string
  /** The data of the event that closes it. */
  readonly data: Json
}

const CLOSED_BY: Readonly<Record<string, { readonly closes: string; readonly key: string }>> = {
  TEXT_MESSAGE_START: { closes: 'TEXT_MESSAGE_END', key: 'messageId' },
  TOOL_CALL_START: { closes: 'TOOL_CALL_END', key: 'toolCallId' },
  REASONING_START: { closes: 'REASONING_END', key: 'messageId' },
  REASONING_MESSAGE_START: { closes: 'REASONING_MESSAGE_END', key: 'messageId' },
  STEP_STARTED: { closes: 'STEP_FINISHED', key: 'stepName' },
}

const CLOSERS: ReadonlyMap<string, string> = new Map(
  Object.values(CLOSED_BY).map(({ closes, key }) => [closes, key]),
)

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

/** Whether a record starts a run, of whatever depth, or takes up one that waited. */
export function startsRun({ type }: Pick<LogRecord, 'type'>): boolean {
  return type === 'RUN_STARTED' || type === 'SUBAGENT_STARTED'
}

/** The events that close what an open run left open, the last first. */
export function closeItems({ openItems, origin }: OpenRun): readonly NewEvent[] {
  return openItems
    .toReversed()
    .map(({ closes, data }) => ({ type: closes, data, origin: { ...origin, source: 'system' } }))
}

/** The events that end runs that nobody works on any more: what they left open, deepest run first. */
export function endOpenRuns(
  open: readonly OpenRun[],
  why: { readonly message: string; readonly code: string },
): readonly NewEvent[] {
  return open.toReversed().flatMap((run) => {
    const origin: Origin = { ...run.origin, source: 'system' }
    const end =
      origin.depth === 0
        ? { type: 'RUN_ERROR', data: { ...why }, origin }
        : { type: 'SUBAGENT_ERROR', data: { subagentRunId: run.runId, ...why }, origin }
    return [...closeItems(run), end]
  })
}

function foldOne(open: readonly OpenRun[], record: LogRecord): readonly OpenRun[] {
  const { type, origin, data } = record
  if (startsRun(record)) {
    const runId = textOf(data, 'runId') || textOf(data, 'subagentRunId')
    return [...open, { runId, origin, openItems: [] }]
  }
  if (open.length === 0) return open
  if (endsRun(record)) return open.filter(({ runId }) => runId !== origin.run)
  const opens = CLOSED_BY[type]
  if (opens) {
    const id = textOf(data, opens.key)
    const tag = origin.depth > 0 && origin.run ? { subagentRunId: origin.run } : {}
    const item = { closes: opens.closes, id, data: { [opens.key]: id, ...tag } }
    return changeItems(open, origin.run, (items) => [...items, item])
  }
  const key = CLOSERS.get(type)
  if (key === undefined) return open
  const id = textOf(data, key)
  return changeItems(open, origin.run, (items) =>
    items.filter((item) => item.closes !== type || item.id !== id),
  )
}

function changeItems(
  open: readonly OpenRun[],
  run: string | undefined,
  changed: (items: readonly OpenItem[]) => readonly OpenItem[],
): readonly OpenRun[] {
  return open.map((each) =>
    each.runId === run ? { ...each, openItems: changed(each.openItems) } : each,
  )
}
