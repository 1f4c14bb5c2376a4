import { assert } from '../assert/index.ts'
import type { EventLog } from './event-log.ts'
import {
  attempt,
  event,
  events,
  followed,
  range,
  refuses,
  same,
  seqs,
  stored,
  uuid,
} from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'
import type { Lease } from './leases.ts'
import type { ContractCase } from './log.contract.ts'

/** Two logs that are open over one store, as two processes have them. */
export interface SharedLogs {
  readonly one: EventLog
  readonly other: EventLog
}

interface SharedLaw {
  readonly name: ContractRule['name']
  readonly check: (logs: SharedLogs) => Promise<void>
}

const APPENDS: readonly SharedLaw[] = [
  {
    name: '[D11] seqs are gapless under appends of two logs, and both read the same',
    async check({ one, other }) {
      const answers = range(0, 60).map((n) => {
        const log = n % 2 === 0 ? one : other
        return log.append(`t${n % 3}`, events(10 * n, 10 * n + (n % 5) + 1))
      })
      const records = (await Promise.all(answers)).flat()
      for (const thread of ['t0', 't1', 't2']) {
        const read = await stored(one, thread)
        same(seqs(read), range(0, read.length), `seqs of ${thread}`)
        same(await stored(other, thread), read, `${thread} as the other log reads it`)
        const answered = records.filter((record) => record.thread === thread)
        same(
          answered.toSorted((a, b) => a.seq - b.seq),
          read,
          `answers for ${thread}`,
        )
        same((await other.verify(thread)).ok, true, `chain of ${thread}`)
      }
    },
  },
  {
    name: '[A079] an id that the thread holds through one log appends nothing through the other',
    async check({ one, other }) {
      const first = await one.append('t', events(0, 3))
      same(await other.append('t', events(0, 3)), first, 'answer of the other')
      same(seqs(await other.append('t', [event(1), event(9)])), [1, 3], 'known and new ids')
      const both = range(0, 20).map((n) => (n % 2 ? one : other).append('t', [event(50)]))
      const seen = (await Promise.all(both)).flat()
      same(new Set(seqs(seen)).size, 1, 'records of one id')
      same(await one.head('t'), 4, 'head')
      same(await other.find('t', uuid(50)), seen[0], 'found by its id')
    },
  },
  {
    name: '[S4] of 50 appends through two logs with one expected version one wins',
    async check({ one, other }) {
      await one.append('t', [event(0)])
      const tries = range(1, 51).map((n) =>
        attempt(() => {
          return (n % 2 ? one : other).append('t', [event(n)], { expectedVersion: 0 })
        }),
      )
      const codes = (await Promise.all(tries)).map((refusal) => refusal?.code)
      same(codes.filter((code) => code === undefined).length, 1, 'winners')
      same(codes.filter((code) => code === 'version_conflict').length, 49, 'conflicts')
      same([await one.head('t'), await other.head('t')], [1, 1], 'heads')
    },
  },
  {
    name: 'both logs are of one epoch, and list the same threads',
    async check({ one, other }) {
      same(other.epoch, one.epoch, 'epoch')
      await one.append('b', [event(0)])
      await other.append('a', [event(0)])
      same(await one.threads(), ['b', 'a'], 'threads of the one')
      same(await other.threads(), ['b', 'a'], 'threads of the other')
    },
  },
]

const READERS: readonly SharedLaw[] = [
  {
    name: '[E1] a subscriber at the other log gets every record once and in order',
    async check({ one, other }) {
      const subscriptions = [one, other, other].map((log) => log.subscribe('t'))
      const reading = subscriptions.map((each) => followed(each, 199))
      for (const n of range(0, 50)) {
        await Promise.all([
          one.append('t', events(10 * n, 10 * n + 3)),
          other.append('t', [event(10 * n + 5)]),
        ])
      }
      for (const records of await Promise.all(reading)) same(seqs(records), range(0, 200), 'seqs')
      for (const each of subscriptions) await each.return?.()
    },
  },
  {
    name: '[L13] a feed of each log names what both append, and skips nothing',
    async check({ one, other }) {
      const names = range(0, 6).map((n) => `t${n}`)
      const feeds = [one, other].map(async (log) => {
        const heads: Record<string, number> = {}
        const feed = log.feed()
        while (names.some((name) => heads[name] !== 39)) {
          const step = await feed.next()
          assert(!step.done, 'The feed ended')
          for (const { thread, head } of step.value) heads[thread] = head
        }
        await feed.return?.()
      })
      for (const n of range(0, 20)) {
        const appends = names.flatMap((name) => [
          one.append(name, [event(2 * n)]),
          other.append(name, [event(2 * n + 1)]),
        ])
        if (n % 4 === 0) await Promise.all(appends)
      }
      await Promise.all(feeds)
    },
  },
]

const LEASES: readonly SharedLaw[] = [
  {
    name: '[D11] a lease has one holder among two logs, and passes on with a greater fence',
    async check({ one, other }) {
      let holder = await acquired(one)
      for (let round = 0; round < 4; round++) {
        const [from, to] = round % 2 === 0 ? [one, other] : [other, one]
        same(await to.leases.acquire('t'), undefined, 'a lease that is held')
        const { signal } = new AbortController()
        const waiting = to.leases.freed('t', signal)
        await from.append('t', [event(round)], { fence: holder.fence })
        await holder.release()
        await waiting
        const next = await acquired(to)
        assert(next.fence > holder.fence, `The fence ${next.fence} follows ${holder.fence}`)
        holder = next
      }
      same(seqs(await stored(one, 't')), range(0, 4), 'stored')
    },
  },
  {
    name: '[D11] an append under a fence of the other log, or of an ended lease, is refused',
    async check({ one, other }) {
      const first = await acquired(one)
      await refuses('fenced', () => other.append('t', [event(0)], { fence: first.fence }))
      await first.release()
      const second = await acquired(other)
      await refuses('fenced', () => one.append('t', [event(0)], { fence: first.fence }))
      same(seqs(await other.append('t', [event(1)], { fence: second.fence })), [0], 'the holder')
      same(seqs(await one.append('t', [event(2)])), [1], 'an append without a fence')
    },
  },
  {
    name: 'closing a log frees its leases for the other',
    async check({ one, other }) {
      await acquired(one)
      const { signal } = new AbortController()
      const waiting = other.leases.freed('t', signal)
      await one.close()
      await waiting
      await acquired(other)
    },
  },
]

/**
 * The contract of logs that several processes open over one store, for any test runner. Each case
 * opens two logs over one empty store, and closes them.
 */
export function sharedLogContract(open: () => Promise<SharedLogs>): readonly ContractCase[] {
  return [...APPENDS, ...READERS, ...LEASES].map(({ name, check }) => ({
    name,
    run: async () => {
      const logs = await open()
      try {
        await check(logs)
      } finally {
        await Promise.all([logs.one.close(), logs.other.close()])
      }
    },
  }))
}

async function acquired(log: EventLog): Promise<Lease> {
  const lease = await log.leases.acquire('t')
  assert(lease, 'The lease is free and was not given')
  return lease
}
