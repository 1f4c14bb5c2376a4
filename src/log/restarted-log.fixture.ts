import { ProcessLeases } from './index.ts'
import type { EventLog } from './index.ts'

/** A log as the next process sees it: leases of the process that died hold nothing any more. */
export function restarted(log: EventLog): EventLog {
  return {
    epoch: log.epoch,
    leases: new ProcessLeases(),
    // The fences of these leases mean nothing to the log behind them.
    append: (thread, events, { fence: _fence, ...options } = {}) =>
      log.append(thread, events, options),
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
