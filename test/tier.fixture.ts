/** How often a check is repeated: a few times in every run, many with `THROUGHLINE_TIER=full`. */
export function timesInTier({ quick, full }: { readonly quick: number; readonly full: number }) {
  return process.env['THROUGHLINE_TIER'] === 'full' ? full : quick
}
