import type { EventLog } from './index.ts'

/** A log that calls `overrides` where they are given, and the log behind it for all else. */
export function logWith(log: EventLog, overrides: Partial<EventLog>): EventLog {
  return {
    epoch: log.epoch,
    leases: log.leases,
    append: (thread, events, options) => log.append(thread, events, options),
    read: (thread, options) => log.read(thread, options),
    subscribe: (thread, options) => log.subscribe(thread, options),
    feed: (options) => log.feed(options),
    find: (thread, id) => log.find(thread, id),
    threads: () => log.threads(),
    head: (thread) => log.head(thread),
    verify: (thread) => log.verify(thread),
    verifyAll: (options) => log.verifyAll(options),
    close: () => log.close(),
    ...overrides,
  }
}
