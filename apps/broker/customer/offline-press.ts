import { useState } from 'react'
import type { Readiness, Turns } from '../../kit/index.ts'
import { useOnline } from '../../kit/index.ts'

export type PressPlace = 'card' | 'footer'

/** The place of the customer's last press without a network; reset when there is one. */
export interface OfflinePress {
  readonly place: PressPlace | undefined
  /** Notes a press that is not sent: it must not take effect later by itself. */
  readonly note: (place: PressPlace) => void
}

export function useOfflinePress(): OfflinePress {
  const isOnline = useOnline()
  const [place, note] = useState<PressPlace>()
  if (isOnline && place !== undefined) note(undefined)
  return { place: isOnline ? undefined : place, note }
}

/** Whether buttons that record something can act. */
export function readinessOf({ status }: Pick<Turns, 'status'>): Readiness {
  return status === 'sending' ? 'waiting' : 'ready'
}
