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
