import type { Changeable } from './answers.ts'
import type { Position } from './details/parts.ts'
import type { JourneyPlace } from './steps.ts'

/** The place that one entry of the browser's history shows. */
export interface HistoryEntry {
  readonly place: JourneyPlace
  /** `open`: the entry follows the case to its next question. `answered`: it keeps showing this answer. */
  readonly shows: 'open' | 'answered'
  /** A card that the customer opened again from here. */
  readonly change?: { readonly card: Changeable; readonly field?: string | undefined }
  /** A part of the details, and how many parts before it have entries of their own. */
  readonly part?: { readonly position: Position; readonly depth: number }
}

/** A change of the history: its entry replaces the last one or is added. */
export interface HistoryWrite {
  readonly way: 'replace' | 'push'
  readonly entry: HistoryEntry
}

/**
 * Lists the writes that lead from the entry that is shown to the open place, with one entry for each
 * answer on the way, so that Back goes through all of them. Pure.
 */
export function writesToOpen(
  shown: HistoryEntry | undefined,
  open: JourneyPlace,
  answered: readonly JourneyPlace[],
): readonly HistoryWrite[] {
  if (shown?.place === open && shown.shows === 'open' && !shown.change) return []
  const openEntry: HistoryEntry = { place: open, shows: 'open' }
  const before = answered.filter((place) => place !== open)
  const at = shown === undefined ? -1 : before.indexOf(shown.place)
  const missing = before.slice(at + 1).map((place): HistoryEntry => ({ place, shows: 'answered' }))
  const entries = shown === undefined || at >= 0 ? [...missing, openEntry] : [openEntry]
  const kept = before[at]
  if (kept !== undefined) entries.unshift({ place: kept, shows: 'answered' })
  return entries.map((entry, index) => ({ way: index === 0 ? 'replace' : 'push', entry }))
}

/** Reads what an entry of the history holds; none where another page or an older one wrote it. */
export function readEntry(state: unknown): HistoryEntry | undefined {
  if (typeof state !== 'object' || state === null || !('journey' in state)) return undefined
  // Only this page writes this key.
  return state.journey as HistoryEntry
}
