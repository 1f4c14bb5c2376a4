/** What one run of a scenario takes, in things that are counted without a clock. */
export interface Counts {
  readonly promises: number
  readonly timers: number
  /** Calls of functions of strings and regular expressions that look at characters. */
  readonly scans: number
  /** Statements that SQLite runs. */
  readonly statements: number
  /** Bytes that a reader gets. */
  readonly bytes: number
}

export interface Costs extends Counts {
  /** Calls by file, then by function. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** What one run of a scenario may take. */
export interface Allowed extends Counts {
  /** Calls of all functions of a file. */
  readonly calls: Readonly<Record<string, number>>
}

export const COUNTS = ['promises', 'timers', 'scans', 'statements', 'bytes'] as const

export function callsOf(functions: Readonly<Record<string, number>>): number {
  return Object.values(functions).reduce((sum, count) => sum + count, 0)
}
