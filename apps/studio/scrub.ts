import type { Told } from './story/index.ts'

/** Bars that show where in the thread something mattered. */
const BARS = 80

/** The rows of each part of a thread, as a share of the fullest part. */
export function densityOf(rows: readonly Told[], head: number): readonly number[] {
  const counts = Array.from({ length: BARS }, () => 0)
  for (const { record } of rows) {
    const bar = Math.min(BARS - 1, Math.floor((record.seq / Math.max(1, head + 1)) * BARS))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  return counts.map((count) => count / most)
}

/** The row to select for a place on the scrubber: the next one in the direction that it was moved to. */
export function nearestRow(
  rows: readonly Told[],
  { at, value }: { readonly at: number; readonly value: number },
): number | undefined {
  const found =
    value >= at
      ? (rows.find(({ record }) => record.seq >= value) ?? rows.at(-1))
      : (rows.findLast(({ record }) => record.seq <= value) ?? rows[0])
  return found?.record.seq
}

/** A wait is cut to this time, in milliseconds. */
export const WAIT_PLAYED_MAX_MS = 1_500
/** Records that came at once are still shown one after the other. */
const STEP_PLAYED_MIN_MS = 80
/** A timer of a browser takes no longer times. */
const TIMER_MAX_MS = 2_147_483_647

/** How long the playback shows a row before the next one, in milliseconds. */
export function pauseBetween(
  row: Told,
  next: Told,
  { speed, skipsWaits }: { readonly speed: number; readonly skipsWaits: boolean },
): number {
  const passed = Math.max(0, next.record.ts - row.record.ts) / speed
  const most = skipsWaits ? WAIT_PLAYED_MAX_MS : TIMER_MAX_MS
  return Math.min(most, Math.max(STEP_PLAYED_MIN_MS, passed))
}
