import type { At, LastActivity } from 'throughline'
import { isoTime } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import { isLocked } from './gates.ts'

type JourneyIdle = At<{
  readonly type: 'journey_idle'
  readonly data: { readonly since: string }
}>

/** Makes the deadline that records `journey_idle` after `idleMs` without activity, once per silence. */
export function idleDeadline(idleMs: number) {
  return {
    name: 'idle',
    due: ({ case: held }: BrokerState, { activeAt }: LastActivity): JourneyIdle | undefined => {
      // An empty thread is in intake too.
      if (held.status === 'intake' || isLocked(held)) return undefined
      const since = isoTime({ ts: activeAt })
      return {
        at: activeAt + idleMs,
        key: since,
        propose: { type: 'journey_idle', data: { since } },
      }
    },
  }
}
