import type { EventLog, Lease } from './index.ts'
import { logWith } from './log-with.fixture.ts'

/** A log as one holder sees it, whose leases can be taken away as if they had expired. */
export function revocable(log: EventLog) {
  const held = new Map<string, Lease>()
  const { leases } = log
  const theirs = logWith(log, {
    leases: {
      isShared: false,
      async acquire(name) {
        const lease = await leases.acquire(name)
        if (lease) held.set(name, lease)
        return lease
      },
      freed: (name, signal) => leases.freed(name, signal),
    },
  })
  return { log: theirs, revoke: async (name: string) => held.get(name)?.release() }
}
