import { LogError } from './index.ts'
import type { EventLog, LogErrorCode, NewEvent } from './index.ts'
import { logWith } from './log-with.fixture.ts'

/** A log that refuses the appends whose events `refuses` picks, by default as if its disk had failed for good. */
export function refusingLog(
  log: EventLog,
  refuses: (events: readonly NewEvent[]) => boolean,
  code: LogErrorCode = 'io',
): EventLog {
  return logWith(log, {
    async append(thread, events, options) {
      if (refuses(events)) throw new LogError(code, 'Cannot append: the disk has failed')
      return log.append(thread, events, options)
    },
  })
}
