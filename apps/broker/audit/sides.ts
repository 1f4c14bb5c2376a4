import type { Origin } from 'throughline'

export type Side = 'customer' | 'installer' | 'broker'

/** On which side of a case something happened; the rest is the broker's. */
export function sideOf({ surface }: Origin): Side {
  return surface === 'customer' || surface === 'installer' ? surface : 'broker'
}
