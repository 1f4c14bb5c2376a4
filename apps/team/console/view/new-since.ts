import { countCalls } from './talk.ts'
import type { Entry } from './talk.ts'

export interface NewEntries {
  readonly count: number
  /** The agents that they are from. */
  readonly names: readonly string[]
  /** Calls and turns in them that failed. */
  readonly failed: number
}

/** What came after an event. */
export function countNew(entries: readonly Entry[], seen: number): NewEntries {
  const fresh = entries.filter((entry) => newestOf(entry) > seen)
  const names = fresh.flatMap((entry) => (entry.kind === 'agent' ? [entry.who] : []))
  const failed = fresh.reduce((sum, entry) => sum + failuresOf(entry), 0)
  return { count: fresh.length, names: [...new Set(names)], failed }
}

function newestOf(entry: Entry): number {
  return entry.kind === 'agent' ? entry.newest : entry.key
}

function failuresOf(entry: Entry): number {
  if (entry.kind === 'agent') return countCalls(entry.parts).failed
  return entry.kind === 'notice' && entry.about === 'failed' ? 1 : 0
}
