import { assert } from '../assert/index.ts'
import { attempt, event, events, range, refuses, same, seqs, stored } from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'
import type { EventLog } from './event-log.ts'
import type { Lease } from './leases.ts'

export const LEASE_RULES: readonly ContractRule[] = [
  {
    name: '[D11] a lease has one holder at a time, and each lease of a name a greater fence',
    async check(log) {
      const answers = await Promise.all(range(0, 20).map(() => log.leases.acquire('t')))
      same(answers.filter((lease) => lease !== undefined).length, 1, 'holders of one name')
      const other = await acquired(log, 'u')
      let last = answers.find((lease) => lease !== undefined)
      assert(last, 'The lease of a free name was not given')
      for (let round = 0; round < 5; round++) {
        same(await log.leases.acquire('t'), undefined, 'a lease that is held')
        await last.release()
        const next: Lease = await acquired(log, 't')
        assert(next.fence > last.fence, `The fence ${next.fence} follows ${last.fence}`)
        last = next
      }
      same([other.name, other.signal.aborted], ['u', false], 'another name')
    },
  },
  {
    name: '[D11] appends under a lease that has ended are refused and stored nowhere',
    async check(log) {
      const lease = await acquired(log, 't')
      const { fence } = lease
      const held = await log.append('t', [event(0)], { fence })
      same(seqs(held), [0], 'under the lease')
      await lease.release()
      same(lease.signal.aborted, true, 'signal of the lease that has ended')
      const next = await acquired(log, 't')
      const other = await acquired(log, 'u')
      for (const stale of [fence, next.fence + 1_000, other.fence, 0, -1, Number.NaN]) {
        await refuses('fenced', () => log.append('t', [event(1)], { fence: stale }))
      }
      const known = () => log.append('t', [event(0)], { fence })
      await refuses('fenced', known)
      const expected = () => log.append('t', [event(1)], { fence, expectedVersion: 0 })
      await refuses('fenced', expected)
      const unexpected = () => log.append('t', [event(1)], { fence, expectedVersion: 7 })
      await refuses('fenced', unexpected)
      same(await log.append('t', [], { fence }), [], 'an append of no events')
      same(await stored(log, 't'), held, 'stored')
      same(seqs(await log.append('t', [event(1)], { fence: next.fence })), [1], 'the next holder')
      await refuses('version_conflict', () =>
        log.append('t', [event(2)], { fence: next.fence, expectedVersion: 0 }),
      )
    },
  },
  {
    name: 'an append without a fence is stored while the lease is held and while it is free',
    async check(log) {
      const lease = await acquired(log, 't')
      same(seqs(await log.append('t', [event(0)])), [0], 'while it is held')
      await lease.release()
      same(seqs(await log.append('t', events(1, 3))), [1, 2], 'while it is free')
      await refuses('fenced', () => log.append('t', [event(3)], { fence: lease.fence }))
    },
  },
  {
    name: '[D11] a refused append holds up none of those that were called with it',
    async check(log) {
      const lease = await acquired(log, 't')
      const stale = lease.fence
      await lease.release()
      const { fence } = await acquired(log, 't')
      const appends = range(0, 30).map((n) =>
        attempt(() => log.append('t', [event(n)], { fence: n % 3 === 0 ? stale : fence })),
      )
      const refused = (await Promise.all(appends)).map((refusal) => refusal?.code)
      same(
        refused,
        range(0, 30).map((n) => (n % 3 === 0 ? 'fenced' : undefined)),
        'answers',
      )
      same(
        (await stored(log, 't')).map(({ data }) => data),
        range(0, 30)
          .filter((n) => n % 3 !== 0)
          .map((n) => ({ n })),
        'stored',
      )
    },
  },
  {
    name: '[D11] appends under way when the lease is released are stored before the next holder, or never',
    async check(log) {
      for (const round of range(0, 4)) {
        const lease = await acquired(log, 't')
        const append = (n: number) =>
          attempt(() => log.append('t', [event(100 * round + n)], { fence: lease.fence }))
        const appends = range(0, 5).map(append)
        if (round % 2 === 0) await appends[0]
        appends.push(...range(5, 10).map(append))
        const released = lease.release()
        const next = await untilAcquired(log, 't')
        const head = await log.head('t')
        const refusals = await Promise.all(appends)
        same(await log.head('t'), head, 'head that the next holder saw')
        for (const refusal of refusals) same(refusal?.code ?? 'fenced', 'fenced', 'refusal')
        await released
        await next.release()
      }
    },
  },
  {
    name: 'a wait ends when the lease is freed, at once when it is free, and with its signal',
    async check(log) {
      const { signal, abort } = controlled()
      await log.leases.freed('t', signal)
      const lease = await acquired(log, 't')
      same(await log.leases.acquire('t'), undefined, 'a lease that is held')
      await lease.release()
      await log.leases.freed('t', signal)
      const again = await acquired(log, 't')
      const waits = range(0, 3).map(() => log.leases.freed('t', signal))
      void again.release()
      await Promise.all(waits)
      await again.release()
      const last = await acquired(log, 't')
      const waiting = rejectionOf(log.leases.freed('t', signal))
      abort('enough')
      same(await waiting, 'enough', 'reason of a wait that was aborted')
      const late = rejectionOf(log.leases.freed('t', signal))
      same(await late, 'enough', 'reason of a wait that was aborted before')
      same(last.signal.aborted, false, 'signal of the holder')
    },
  },
  {
    name: 'a lease calls back once when it ends, at once when it has ended, and not after that is taken back',
    async check(log) {
      const [released, closed] = [await acquired(log, 't'), await acquired(log, 'u')]
      const calls: string[] = []
      const call = (name: string) => () => void calls.push(name)
      released.onEnd(call('released'))
      released.onEnd(call('taken back'))()
      closed.onEnd(call('closed'))
      same(calls, [], 'calls while the leases are held')
      await released.release()
      await released.release()
      released.onEnd(call('late'))
      await log.close()
      same(calls, ['released', 'late', 'closed'], 'calls')
    },
  },
  {
    name: 'closing the log ends its leases and the waits for them',
    async check(log) {
      const lease = await acquired(log, 't')
      const { signal } = controlled()
      const ended = new Promise<void>((resolve) => {
        lease.signal.addEventListener('abort', () => resolve())
      })
      const waiting = refuses('closed', () => log.leases.freed('t', signal))
      await log.close()
      await Promise.all([ended, waiting])
      await lease.release()
      await refuses('closed', () => log.leases.acquire('t'))
      await refuses('closed', () => log.leases.freed('t', signal))
    },
  },
]

async function acquired(log: EventLog, name: string): Promise<Lease> {
  const lease = await log.leases.acquire(name)
  assert(lease, `The lease of "${name}" is free and was not given`)
  return lease
}

async function untilAcquired(log: EventLog, name: string): Promise<Lease> {
  for (;;) {
    const lease = await log.leases.acquire(name)
    if (lease) return lease
    await log.leases.freed(name, controlled().signal)
  }
}

function controlled(): { signal: AbortSignal; abort: (reason: string) => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) }
}

function rejectionOf(wait: Promise<void>): Promise<unknown> {
  return wait.then(
    () => assert(false, 'A wait that was aborted has resolved'),
    (reason: unknown) => reason,
  )
}
