import type { EventLog, NewEvent } from './index.ts'
import { LogError } from './index.ts'

/** A log whose disk is full for some appends: those whose events `refuses` picks, while it does. */
export function refusingLog(
  log: EventLog,
  refuses: (events: readonly NewEvent[]) => boolean,
): EventLog {
  return {
    epoch: log.epoch,
    leases: log.leases,
    async append(thread, events, options) {
      if (refuses(events)) throw new LogError('storage_full', 'Cannot append: no space is left')
      return log.append(thread, events, options)
    },
    read: (thread, options) => log.read(thread, options),
    subscribe: (thread, options) => log.subscribe(thread, options),
    feed: (options) => log.feed(options),
    find: (thread, id) => log.find(thread, id),
    threads: () => log.threads(),
    head: (thread) => log.head(thread),
    verify: (thread) => log.verify(thread),
    verifyAll: (options) => log.verifyAll(options),
    close: () => log.close(),
  }
}
