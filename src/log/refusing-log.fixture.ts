import { LogError } from './index.ts'
import type { EventLog, NewEvent } from './index.ts'
import { logWith } from './log-with.fixture.ts'

/** A log that refuses, as if its disk were full, the appends whose events `refuses` picks. */
export function refusingLog(
  log: EventLog,
  refuses: (events: readonly NewEvent[]) => boolean,
): EventLog {
  return logWith(log, {
    async append(thread, events, options) {
      if (refuses(events)) throw new LogError('storage_full', 'Cannot append: no space is left')
      return log.append(thread, events, options)
    },
  })
}
