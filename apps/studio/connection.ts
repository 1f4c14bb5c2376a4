import type { ThreadPlace } from 'throughline/react'

/** The state of the timeline's stream: `live` once it has caught up, `lost` while no server answers. */
export type Connection = 'opening' | 'live' | 'lost'

export function connectionOf({
  status,
  seq,
  head,
}: Pick<ThreadPlace, 'status' | 'seq' | 'head'>): Connection {
  if (status === 'reconnecting' || status === 'late') return 'lost'
  return status === 'live' && seq >= head ? 'live' : 'opening'
}
