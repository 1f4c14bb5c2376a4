import type { EventLog } from 'throughline/log'

/** The same log, which says of each append that it has happened, once it is durable. */
export function webhookLog(log: EventLog, onAppended: (thread: string) => void): EventLog {
  return {
    epoch: log.epoch,
    leases: log.leases,
    async append(thread, events, options) {
      const records = await log.append(thread, events, options)
      onAppended(thread)
      return records
    },
    read: (thread, options) => log.read(thread, options),
    ...(log.readJson ? { readJson: log.readJson.bind(log) } : {}),
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
