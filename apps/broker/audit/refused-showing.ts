import { textOf } from 'throughline/json'
import type { LogRecord } from 'throughline/log'

/**
 * Whether a page asked to show a disclosure when the case was not there, or had it already. Pages ask by
 * themselves, such as two tabs at once: no person did anything.
 */
export function isRefusedShowing({ type, data, origin }: LogRecord): boolean {
  return (
    type === 'event_refused' &&
    origin.source === 'ui' &&
    textOf(data, 'type') === 'present_disclosure' &&
    textOf(data, 'reason') === 'precondition'
  )
}
