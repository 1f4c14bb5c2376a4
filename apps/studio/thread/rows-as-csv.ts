import type { TurnNode } from 'throughline/client'
import { traceRows } from './trace-rows.ts'
import { saveFile } from '../saved-file.ts'
import type { TraceRow } from './trace-rows.ts'

const COLUMNS = ['kind', 'depth', 'name', 'started', 'ms', 'tokens', 'cost', 'status'] as const

/** The rows of a turn as CSV. A spreadsheet must take no name for a formula. */
export function rowsAsCsv(rows: readonly TraceRow[]): string {
  const lines = rows.map(({ kind, depth, name, startedAt, endedAt, usage, status }) => {
    const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
    const started = new Date(startedAt).toISOString()
    const ms = endedAt - startedAt
    return [kind, depth, name, started, ms, usage ? tokens : '', usage?.cost ?? '', status]
  })
  return [COLUMNS, ...lines].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number): string {
  const text = String(value)
  const plain = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Has the browser keep the rows of a turn as a file. */
export function downloadRows(turn: TurnNode): void {
  saveFile(`turn-${turn.key}.csv`, new Blob([rowsAsCsv(traceRows(turn))], { type: 'text/csv' }))
}
