import type { LogRecord } from '../../log/index.ts'

export type ExportFormat = 'jsonl' | 'csv'

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

const COLUMNS = ['seq', 'id', 'ts', 'type', 'source', 'data', 'hash'] as const

export function exportHeader(format: ExportFormat): string {
  return format === 'csv' ? `${COLUMNS.join(',')}\r\n` : ''
}

/** Of a record that is stored otherwise than it is read, the line also holds what its hash covers. */
export function exportLine(
  format: ExportFormat,
  record: LogRecord,
  { data: storedData, origin: storedOrigin }: LogRecord = record,
): string {
  if (format === 'jsonl') {
    const stored = { data: storedData, origin: storedOrigin }
    const isSame = storedData === record.data
    return `${JSON.stringify(isSame ? record : { ...record, stored })}\n`
  }
  const { seq, id, ts, type, origin, data, hash } = record
  const cells = [
    seq,
    id,
    new Date(ts).toISOString(),
    type,
    origin.source,
    JSON.stringify(data).replaceAll(SEMICOLON_FORMULA, SEMICOLON),
    hash,
  ]
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\r\n`
}

/** The last line, which only a whole export has: how many records it holds. No record has an empty seq. */
export function exportEnd(format: ExportFormat, records: number): string {
  if (format === 'jsonl') return `${JSON.stringify({ complete: true, records })}\n`
  const cells = ['', '', '', 'complete', '', JSON.stringify({ records }), '']
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Programs that split cells at semicolons would start a formula cell in the middle of a text. */
const SEMICOLON_FORMULA = /;(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
/** Means the same in JSON, whose semicolons are all in strings. */
const SEMICOLON = '\\u003b'

/** Quotes a cell, and takes away its power to be a formula in a spreadsheet. */
function csvCell(text: string): string {
  const safe = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
