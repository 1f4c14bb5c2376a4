import type { At, LastActivity } from 'throughline'
import { isoTime } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import { isLocked, missingForSubmission, presented } from './gates.ts'

/** Time without activity after which a confirmed application is submitted by the deadline. */
export const SUBMIT_AFTER_MS = 30_000

/** With earlier versions of the summary the page asked again before it sent the application. */
const SENDS_AT_ONCE_SINCE_VERSION = 2

type Sending = At<{
  readonly type: 'submit_application'
  readonly data: Readonly<Record<string, never>>
}>

/**
 * Sends an application whose customer has confirmed it, when the turn that was to send it did not: it was
 * stopped, its process died, or the confirmation came without a turn.
 */
export const submitDeadline = {
  name: 'submit',
  due: ({ case: held }: BrokerState, { activeAt }: LastActivity): Sending | undefined => {
    const { version = 0 } = presented(held, 'pre_contract_summary') ?? {}
    const isConfirmed = !isLocked(held) && missingForSubmission(held).length === 0
    if (!isConfirmed || version < SENDS_AT_ONCE_SINCE_VERSION) return undefined
    return {
      at: activeAt + SUBMIT_AFTER_MS,
      key: isoTime({ ts: activeAt }),
      propose: { type: 'submit_application', data: {} },
    }
  },
}
