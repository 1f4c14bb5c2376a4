import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { mayPass } from '../../log/index.ts'
import type { EventLog, LogRecord, Moved } from '../../log/index.ts'
import { openLog } from '../open-log.ts'
import { counted, recordsOf } from '../sqlite-folder.fixture.ts'
import { execute, noPostgres, postgresServer } from './postgres-server.fixture.ts'
import { SteadyWriter } from './steady-writer.fixture.ts'

const server = postgresServer()

async function opened(url: string): Promise<EventLog> {
  const log = await openLog(url)
  onTestFinished(() => log.close())
  return log
}

test.skipIf(noPostgres)(
  '[D7] Postgres killed under writers of two logs loses nothing that was acknowledged, and stores nothing twice',
  async () => {
    const url = await server.newDatabase()
    const logs = [await opened(url), await opened(url)]
    const writers = logs.flatMap((log, at) =>
      [0, 1, 2].map((n) => new SteadyWriter(log, `t${at}-${n}`)),
    )
    for (let kill = 0; kill < timesInTier({ quick: 1, full: 10 }); kill++) {
      await Promise.all(writers.map((writer) => writer.acknowledges(10)))
      await server.kill()
      await server.start()
    }
    await Promise.all(writers.map((writer) => writer.acknowledges(10)))
    await Promise.all(writers.map((writer) => writer.stop()))
    for (const [at, writer] of writers.entries()) {
      const thread = `t${Math.floor(at / 3)}-${at % 3}`
      const stored = await recordsOf(await opened(url), thread)
      expect(stored).toEqual(writer.acknowledged)
      expect(await logs[0]?.verify(thread)).toMatchObject({ ok: true, unanchored: 0 })
    }
  },
)

test.skipIf(noPostgres)(
  '[D8] 160 reads of a database that does not answer each fail within 5 s, and later ones work',
  async () => {
    const log = await opened(await server.newDatabase())
    await log.append('t', counted(0, 1))
    const resume = server.pause()
    const since = performance.now()
    const waits = await Promise.all(
      Array.from({ length: 160 }, async () => {
        const refusal: unknown = await log.head('t').catch((error: unknown) => error)
        return { refusal, ms: performance.now() - since }
      }),
    )
    resume()
    for (const { refusal } of waits) expect(refusal).toMatchObject({ code: 'unavailable' })
    // One after another they took 30 s.
    expect(Math.max(...waits.map(({ ms }) => ms))).toBeLessThan(7_500)
    await expect.poll(() => log.head('t').catch(() => 'away'), { timeout: 5_000 }).toBe(0)
  },
)

test.skipIf(noPostgres)(
  '[D8] a log whose database does not answer closes within 15 s',
  async () => {
    const log = await opened(await server.newDatabase())
    await log.append('t', counted(0, 1))
    const resume = server.pause()
    const ended = await Promise.race([
      log.close().then(() => 'closed'),
      setTimeout(15_000, 'waits', { ref: false }),
    ])
    resume()
    expect(ended).toBe('closed')
  },
)

test.skipIf(noPostgres)(
  '[D15] reads that wait behind a lock of another program may all be tried again',
  async () => {
    const url = await server.newDatabase()
    const log = await opened(url)
    await log.append('t', counted(0, 1))
    const locking = new Client({ connectionString: url })
    await locking.connect()
    await locking.query('BEGIN')
    await locking.query('LOCK TABLE throughline.threads IN ACCESS EXCLUSIVE MODE')
    const refusals = await Promise.all(
      Array.from({ length: 20 }, () => log.head('t').catch((error: unknown) => error)),
    )
    await locking.query('ROLLBACK')
    await locking.end()
    expect(refusals.filter((refusal) => !mayPass(refusal))).toEqual([])
    expect(await log.head('t')).toBe(0)
  },
)

test.skipIf(noPostgres)(
  '[D8] without an answer an append is in doubt after 5 s, and the same ids settle it',
  async () => {
    const log = await opened(await server.newDatabase())
    await log.append('t', counted(0, 1))
    const ids = { id: '00000000-0000-7000-8000-000000000001', type: 'counted', data: 1 }
    const resume = server.pause()
    const since = performance.now()
    const refusal = await log.append('t', [ids]).catch((error: unknown) => error)
    const waited = performance.now() - since
    resume()
    expect(refusal).toMatchObject({ code: 'in_doubt' })
    expect(waited).toBeGreaterThan(4_900)
    expect(waited).toBeLessThan(7_500)
    const [stored] = await log.append('t', [ids])
    expect(stored).toMatchObject({ seq: 1, id: ids.id })
    expect(await recordsOf(log, 't')).toHaveLength(2)
  },
)

test.skipIf(noPostgres)(
  '[D8] connections that are cut cost no append, no subscriber and no feed',
  async () => {
    const url = await server.newDatabase()
    const [one, other] = [await opened(url), await opened(url)]
    const subscription = other.subscribe('t')
    const seqs: number[] = []
    const reading = (async () => {
      while ((seqs.at(-1) ?? -1) < 39) {
        const step = await subscription.next()
        seqs.push(...(step.value ?? []).map(({ seq }: LogRecord) => seq))
      }
    })()
    for (let n = 0; n < 40; n++) {
      if (n % 10 === 5) await execute(url, CUT_ALL)
      await one.append('t', counted(n, n + 1))
    }
    await reading
    expect(seqs).toEqual(Array.from({ length: 40 }, (_, n) => n))
    await subscription.return?.()
  },
)

const CUT_ALL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

test.skipIf(noPostgres).each(['another database', 'the same database'])(
  '[S1] a transaction that another program leaves open in %s holds nothing back',
  async (where) => {
    const url = await server.newDatabase()
    const log = await opened(url)
    const isSame = where === 'the same database'
    const foreign = new Client({ connectionString: isSame ? url : await server.newDatabase() })
    await foreign.connect()
    await foreign.query('BEGIN')
    await foreign.query('CREATE TABLE other (a int)')
    await log.append('t', counted(0, 1))
    const feed = log.feed()
    const first = await feed.next()
    expect(first.value).toMatchObject([{ thread: 't', head: 0 }])
    expect((await feed.next()).value).toEqual([])
    // The second time it is known.
    await log.append('t', counted(1, 2))
    expect((await feed.next()).value).toMatchObject([{ thread: 't', head: 1 }])
    await feed.return?.()
    await foreign.query('ROLLBACK')
    await foreign.end()
  },
)

test.skipIf(noPostgres)(
  '[S1] an append that stays open holds the feed back for 5 s; then followers get what is safe, and the operator a warning',
  async () => {
    const url = await server.newDatabase()
    const warnings: string[] = []
    const log = await openLog(url, { onWarning: (warning) => void warnings.push(warning) })
    onTestFinished(() => log.close())
    await log.append('t', counted(0, 1))
    const stuck = new Client({ connectionString: url })
    await stuck.connect()
    await stuck.query('BEGIN')
    await stuck.query(`INSERT INTO throughline.moves (thread, seq, hash)
      SELECT number, 1, 'stuck' FROM throughline.threads WHERE name = 't'`)
    await log.append('other', counted(0, 1))
    const feed = log.feed()
    expect((await feed.next()).value).toMatchObject([{ thread: 't' }])
    expect((await feed.next()).value).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/process \d+, open for \d+ s: INSERT INTO/)])
    // Appends that come during the looks are held back like those before them.
    const held = feed.next()
    for (let n = 1; n <= 50; n++) await log.append('other', counted(n, n + 1))
    await setTimeout(1_500)
    // Nobody else waits for it again.
    const since = performance.now()
    const late = log.feed()
    expect((await late.next()).value).toMatchObject([{ thread: 't' }])
    expect((await late.next()).value).toEqual([])
    expect(performance.now() - since).toBeLessThan(2_500)
    await stuck.query('ROLLBACK')
    await stuck.end()
    expect((await held).value).toMatchObject([{ thread: 'other', head: 50 }])
    expect(warnings).toHaveLength(1)
    await Promise.all([feed.return?.(), late.return?.()])
  },
)

test.skipIf(noPostgres)(
  '[S1] a feed skips nothing while transactions commit in another order than they began',
  async () => {
    const url = await server.newDatabase()
    const log = await opened(url)
    await log.append('late', counted(0, 1))
    const feed = log.feed()
    const seen: string[] = []
    const reading = (async () => {
      while (!seen.includes('late:1')) {
        const step = await feed.next()
        seen.push(...(step.value ?? []).map(({ thread, head }: Moved) => `${thread}:${head}`))
      }
    })()
    const slow = new Client({ connectionString: url })
    await slow.connect()
    await slow.query('BEGIN')
    await slow.query(`INSERT INTO throughline.moves (thread, seq, hash)
      SELECT number, 1, 'slow' FROM throughline.threads WHERE name = 'late'`)
    for (let n = 0; n < 20; n++) await log.append(`quick${n}`, counted(0, 1))
    await setTimeout(50)
    expect(seen).toEqual(['late:0'])
    await slow.query('COMMIT')
    await slow.end()
    await reading
    await feed.return?.()
    expect(seen[1]).toBe('late:1')
  },
)
