import { hash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { MemoryLog } from './index.ts'
import { checkHolders } from './lease-holders.fixture.ts'
import { LEASE_WAITS_MAX } from './lease-waits.ts'
import { LEASES_MAX, ProcessLeases } from './leases.ts'

const RUNS = timesInTier({ quick: 100, full: 300 })

const open = () =>
  new MemoryLog({ hash: (text) => hash('sha256', text, 'hex'), now: () => 1_000, id: randomUUID })

test('[D11] of holders that work at once one holds the lease, and none appends after it has ended', async () => {
  const { stale } = await checkHolders(open, RUNS)
  expect(stale).toBeGreaterThan(RUNS)
})

test('a log has no more leases and waits than its bounds', async () => {
  const leases = new ProcessLeases()
  for (let n = 0; n < LEASES_MAX; n++) await leases.acquire(`t${n}`)
  await expect(leases.acquire('one more')).rejects.toMatchObject({ code: 'busy' })
  // A signal looks through all its listeners for each new one.
  const wait = (name: string) => leases.freed(name, new AbortController().signal)
  const waits = Array.from({ length: LEASE_WAITS_MAX }, (_, n) => wait(`t${n}`))
  await expect(wait('t0')).rejects.toMatchObject({ code: 'busy' })
  const outcomes = Promise.allSettled(waits)
  leases.close()
  expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
})

test('the signal of a lease says why it ended, also to those who read it later', async () => {
  const leases = new ProcessLeases()
  const [one, two] = [await leases.acquire('one'), await leases.acquire('two')]
  const early = two?.signal
  await one?.release()
  leases.close()
  expect(one?.signal.reason).toMatchObject({ code: 'fenced' })
  expect(one?.signal).toBe(one?.signal)
  expect(String(early?.reason)).toContain('the log is closed')
  await two?.release()
})
