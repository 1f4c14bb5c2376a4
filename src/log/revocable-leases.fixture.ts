import type { EventLog, Lease } from './index.ts'

/** A log as one holder sees it, whose leases can be taken away as if they had expired. */
export function revocable(log: EventLog) {
  const held = new Map<string, Lease>()
  const { leases } = log
  const theirs: EventLog = {
    epoch: log.epoch,
    leases: {
      async acquire(name) {
        const lease = await leases.acquire(name)
        if (lease) held.set(name, lease)
        return lease
      },
      freed: (name, signal) => leases.freed(name, signal),
    },
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
  }
  return { log: theirs, revoke: async (name: string) => held.get(name)?.release() }
}
