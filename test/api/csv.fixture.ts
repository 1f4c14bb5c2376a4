/**
 * Reads a table as spreadsheets do: a cell that begins with a quote keeps everything up to the closing one,
 * and what follows that up to the delimiter belongs to it as well.
 */
export function cellsOf(text: string, delimiter: string): string[][] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"?)?([^${delimiter}\\r\\n]*)(${delimiter}|\\r?\\n|\\r|$)`,
    'y',
  )
  const rows: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const [, quoted = '', bare = '', end = ''] = cell.exec(text) ?? []
    rows.at(-1)?.push(quoted.replaceAll('""', '"') + bare)
    if (end !== delimiter) rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

/** Matches cells that spreadsheets read as formulas, leading blanks included. */
export const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/
