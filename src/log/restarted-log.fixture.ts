import { ProcessLeases } from './index.ts'
import type { EventLog } from './index.ts'
import { logWith } from './log-with.fixture.ts'

/** A log as the next process sees it: leases of the process that died hold nothing any more. */
export function restarted(log: EventLog): EventLog {
  return logWith(log, {
    leases: new ProcessLeases(),
    // The fences of these leases mean nothing to the log behind them.
    append: (thread, events, { fence: _fence, ...options } = {}) =>
      log.append(thread, events, options),
  })
}
