import { textOf } from 'throughline'
import type { LogRecord } from 'throughline'

/**
 * Whether a page acted by itself: pages ask to show a disclosure as soon as its card appears, such as in
 * two tabs at once. Their person did nothing, so an audit names the page.
 */
export function isOfPage({ type, data, origin }: LogRecord): boolean {
  if (origin.source !== 'ui') return false
  return type === 'present_disclosure' || (type === 'event_refused' && asksToShow(data))
}

/** Whether a disclosure was not shown again, or not yet: neither changes what the customer saw. */
export function isRefusedShowing({ type, data }: LogRecord): boolean {
  return type === 'event_refused' && asksToShow(data) && textOf(data, 'reason') === 'precondition'
}

function asksToShow(data: LogRecord['data']): boolean {
  return textOf(data, 'type') === 'present_disclosure'
}
