import type { Json, RunItem, RunNode, TurnNode, Usage } from 'throughline/client'
import type { Status } from './status-mark.tsx'
import { membersOf } from 'throughline/client'

/** Characters of what a row was asked for or given. */
const WHAT_CHARS_MAX = 80
/** Rows that one trace draws. */
export const TRACE_ROWS_MAX = 200

/** The shortest part of a bar that can be seen. */
const BAR_MIN = 0.02

/** One run or tool call of a turn, on one line. */
export interface TraceRow {
  readonly key: string
  readonly kind: 'agent' | 'tool'
  readonly depth: number
  readonly name: string
  /** Its request, in short. */
  readonly what: string
  readonly status: Status
  /** The start and end of its bar, as fractions of the whole turn. */
  readonly from: number
  readonly to: number
  readonly ms: number
  /** Milliseconds since the epoch; an open one lasts to the end of the bar. */
  readonly startedAt: number
  readonly endedAt: number
  /** Of a run: its own model calls, without those below it. */
  readonly usage?: Usage
}

type Row = Omit<TraceRow, 'from' | 'to' | 'ms' | 'endedAt'> & {
  readonly endedAt: number | undefined
}

/** The runs and tool calls of a turn in their order. An open one lasts to the end of the bar. */
export function traceRows(turn: TurnNode): readonly TraceRow[] {
  const rows = turn.runs.flatMap(rowsOfRun).slice(0, TRACE_ROWS_MAX)
  const end = Math.max(turn.ts, ...rows.map(({ startedAt, endedAt = startedAt }) => endedAt))
  const whole = Math.max(1, end - turn.ts)
  return rows.map(({ startedAt, endedAt = end, ...row }) => ({
    ...row,
    startedAt,
    endedAt,
    from: Math.min((startedAt - turn.ts) / whole, 1 - BAR_MIN),
    to: (endedAt - turn.ts) / whole,
    ms: endedAt - startedAt,
  }))
}

/** The agent that works deepest in a turn, if one works. */
export function workingAgent({ runs }: TurnNode): string | undefined {
  const working = runs.flatMap(rowsOfRun).filter((row) => {
    return row.kind === 'agent' && row.status === 'working'
  })
  return working.reduce<Row | undefined>(deeper, undefined)?.name
}

function deeper(row: Row | undefined, other: Row): Row {
  return row && row.depth > other.depth ? row : other
}

function rowsOfRun(run: RunNode): readonly Row[] {
  const { key, depth, agent: name, prompt, startedAt, endedAt, state, items, usage } = run
  const what = depth === 0 ? '' : short(prompt)
  const row = { key, kind: 'agent', depth, name, what, usage, status: state.status } as const
  return [{ ...row, startedAt, endedAt }, ...items.flatMap((item) => rowsOfItem(item, depth))]
}

/** A tool that calls an agent is that agent's row. */
function rowsOfItem(item: RunItem, depth: number): readonly Row[] {
  if (item.kind !== 'tool') return []
  const { key, name, state, startedAt, endedAt, runs } = item
  if (runs.length > 0) return runs.flatMap(rowsOfRun)
  const what = argumentsIn(item.arguments)
  const row = { key, kind: 'tool', depth: depth + 1, name, what, status: state.status } as const
  return [{ ...row, startedAt, endedAt }]
}

/** The values of a call, without their names: `4711, 89, it arrived broken`. */
function argumentsIn(text: string): string {
  try {
    // The engine records the text that the model gave, which is JSON when the call was made.
    const values = Object.values(membersOf(JSON.parse(text) as Json))
    return short(values.map((value) => textOfValue(value)).join(', '))
  } catch {
    // Still being written, or no JSON at all: shown as it is.
    return short(text)
  }
}

function textOfValue(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= WHAT_CHARS_MAX ? line : `${line.slice(0, WHAT_CHARS_MAX - 1)}…`
}
