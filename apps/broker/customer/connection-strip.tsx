import type { ThreadSnapshot } from 'throughline/react'
import type { ThreadView } from '../../kit/index.ts'
import { ConnectionBanner, OfflineStrip, useOnline } from '../../kit/index.ts'
import type { OfflinePress } from './offline-press.ts'

export interface ConnectionStripProps {
  readonly live: ThreadSnapshot<ThreadView>
  /** A notice at the pressed button says that the page is offline: the strip does not repeat it. */
  readonly offlineAt: OfflinePress['place']
}

/** Says that the page has no connection, and that nothing is lost by it. */
export function ConnectionStrip({ live, offlineAt }: ConnectionStripProps) {
  const isOnline = useOnline()
  if (offlineAt !== undefined) return null
  return isOnline ? <ConnectionBanner live={live} /> : <OfflineStrip />
}
