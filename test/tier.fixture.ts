import { test } from 'vitest'

/** How often a check is repeated: a few times in every run, many with `THROUGHLINE_TIER=full`. */
export function timesInTier(counts: ByTier<number>): number {
  return inTier(counts)
}

/** Returns the value for every run, or that for `THROUGHLINE_TIER=full`. */
export function inTier<Value>({ quick, full }: ByTier<Value>): Value {
  return process.env['THROUGHLINE_TIER'] === 'full' ? full : quick
}

interface ByTier<Value> {
  readonly quick: Value
  readonly full: Value
}

interface LeftOut {
  (): LeftOut
  readonly skipIf: () => LeftOut
  readonly each: () => LeftOut
  readonly for: () => LeftOut
}

/** Takes what a test takes, and adds none to the run. */
const leftOut: LeftOut = Object.assign(() => leftOut, {
  skipIf: () => leftOut,
  each: () => leftOut,
  for: () => leftOut,
})

/** A test that only the full tier has, beside those of every run. */
export const fullTest = inTier({ quick: leftOut as unknown as typeof test, full: test })
