import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { EventLog } from '../../log/index.ts'
import { openLog } from '../open-log.ts'
import { counted } from '../sqlite-folder.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()

async function opened(url: string): Promise<EventLog> {
  const log = await openLog(url)
  onTestFinished(() => log.close())
  return log
}

/** Ends all leases, as time would if their holders stood still. */
const EXPIRE = "UPDATE throughline.leases SET expires = clock_timestamp() - interval '1 s'"

// A holder that has appended knows the thread's head, and asks in another way.
test.skipIf(noPostgres).each([0, 1])(
  '[D11] a holder whose lease has expired appends nothing more, and its work is aborted: after %i records',
  async (before) => {
    const url = await server.newDatabase()
    const [one, other] = [await opened(url), await opened(url)]
    const old = await one.leases.acquire('t')
    const fence = old?.fence ?? 0
    if (before > 0) await one.append('t', counted(0, before), { fence })
    const waiting = other.leases.freed('t', new AbortController().signal)
    await execute(url, EXPIRE)
    await waiting
    const next = await other.leases.acquire('t')
    const stale = Array.from({ length: 20 }, (_, n) =>
      one.append('t', counted(before + n, before + n + 1), { fence }),
    )
    for (const append of stale) await expect(append).rejects.toMatchObject({ code: 'fenced' })
    expect(old?.signal.aborted).toBe(true)
    const appended = other.append('t', counted(before, before + 1), { fence: next?.fence ?? 0 })
    expect(await appended).toHaveLength(1)
    expect(await one.head('t')).toBe(before)
  },
)

test.skipIf(noPostgres)('[D11] a holder that another one has replaced is told so', async () => {
  const url = await server.newDatabase()
  const [one, other] = [await opened(url), await opened(url)]
  const old = await one.leases.acquire('t')
  await execute(url, EXPIRE)
  await other.leases.acquire('t')
  await expect.poll(() => old?.signal.aborted).toBe(true)
  await old?.release()
  expect(await one.leases.acquire('t')).toBeUndefined()
})

test.skipIf(noPostgres)('a lease is renewed while its holder lives', async () => {
  const url = await server.newDatabase()
  const log = await opened(url)
  const lease = await log.leases.acquire('t')
  const left = async () => {
    const [row] = await execute(
      url,
      'SELECT extract(epoch FROM expires - clock_timestamp())::float8 AS s FROM throughline.leases',
    )
    return Number(row?.['s'])
  }
  await setTimeout(2_000)
  const before = await left()
  await expect.poll(left).toBeGreaterThan(before)
  expect(lease?.signal.aborted).toBe(false)
})

test.skipIf(noPostgres)(
  '[D11] a holder that cannot reach Postgres stops before its lease expires',
  async () => {
    const log = await opened(await server.newDatabase())
    const lease = await log.leases.acquire('t')
    const since = performance.now()
    const resume = server.pause()
    onTestFinished(resume)
    await expect.poll(() => lease?.signal.aborted, { interval: 100 }).toBe(true)
    const waited = performance.now() - since
    resume()
    expect(waited).toBeLessThan(10_000)
  },
)
