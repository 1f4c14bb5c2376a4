import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../open-log.ts'
import { recordsOf } from '../sqlite-folder.fixture.ts'
import { noPostgres, postgresServer } from './postgres-server.fixture.ts'
import { SteadyWriter } from './steady-writer.fixture.ts'

const primary = postgresServer()
const GOES_ON_WITHIN_MS = 10_000
/** After any other code what must be recorded is given up. */
const MAY_PASS: ReadonlySet<string> = new Set(['busy', 'in_doubt', 'unavailable'])

test.skipIf(noPostgres)(
  '[D15] a primary that is killed and its promoted standby lose nothing that was acknowledged, and writers go on within 10 s',
  async () => {
    const { pathname } = new URL(await primary.newDatabase())
    const standby = await primary.newStandby()
    onTestFinished(() => standby.stop('immediate'))
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join()
    const url = `postgres://postgres@${hosts}${pathname}`
    const logs = [await openLog(url), await openLog(url)]
    onTestFinished(async () => void (await Promise.all(logs.map((log) => log.close()))))
    const writers = logs.flatMap((log, at) =>
      [0, 1].map((n) => new SteadyWriter(log, `t${at}-${n}`)),
    )
    await expect
      .poll(() => Math.min(...writers.map(({ acknowledged }) => acknowledged.length)))
      .toBeGreaterThan(20)
    await primary.kill()
    // For a moment there is only a host that takes no writes.
    await setTimeout(300)
    await standby.promote()
    const promoted = Date.now()
    const before = writers.map(({ acknowledged }) => acknowledged.length)
    const goOn = () =>
      writers.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0) + 5)
    await expect.poll(goOn, { timeout: 60_000, interval: 20 }).toBe(true)
    expect(Date.now() - promoted).toBeLessThan(GOES_ON_WITHIN_MS)
    await setTimeout(200)
    await Promise.all(writers.map((writer) => writer.stop()))
    const refusals = writers.flatMap((writer) => writer.refusals)
    expect(refusals.filter((code) => !MAY_PASS.has(code))).toEqual([])
    const reader = await openLog(url)
    onTestFinished(() => reader.close())
    for (const [at, { acknowledged }] of writers.entries()) {
      const thread = `t${at >> 1}-${at % 2}`
      expect(await recordsOf(reader, thread)).toEqual(acknowledged)
      expect(await reader.verify(thread)).toMatchObject({ ok: true, unanchored: 0 })
    }
  },
)
