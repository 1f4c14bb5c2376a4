import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLog } from '../../src/storage/index.ts'
import { counted, freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { brokenPromise } from './promises.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { programArguments } from '../program.fixture.ts'

const BACKUPS = 3

/** Copies the heads before the database, which may only be ahead of them (docs/log-format.md). */
async function backUp(path: string, to: string, between: () => Promise<void>): Promise<void> {
  copyFileSync(`${path}.heads`, `${to}.heads`)
  await between()
  const database = new DatabaseSync(path, { readOnly: true })
  database.prepare('VACUUM INTO ?').run(to)
  database.close()
}

test('[D6] a backup that was taken under load holds all records that were acknowledged before it, and verifies', async ({
  annotate,
}) => {
  const path = freshPath()
  const writer = spawn(process.execPath, [...programArguments('append-for-a-while'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  const losses: string[] = []
  let checked = 0
  for (let backup = 0; backup < BACKUPS; backup++) {
    await once(writer.stdout, 'data')
    await setTimeout(100)
    const acknowledged = printed.split('\n').slice(0, -1)
    const copy = freshPath()
    await backUp(path, copy, async () => {
      const before = printed.length
      while (!/^a /m.test(printed.slice(before))) await once(writer.stdout, 'data')
    })
    const log = await openLog(`sqlite:${copy}`)
    expect(await log.append('a', counted(0, 1))).toHaveLength(1)
    await log.close()
    const loss = await brokenPromise(copy, acknowledged)
    if (loss !== undefined) losses.push(loss)
    checked += acknowledged.length
  }
  expect(writer.exitCode).toBeNull()
  const closed = once(writer, 'close')
  writer.kill('SIGKILL')
  await closed
  expect(losses).toEqual([])
  const of = `${BACKUPS} backups under load, ${checked.toLocaleString('en')} events looked for`
  await annotate(`${losses.length} backups that lack something: ${of}`, 'promise')
})

test('a backup that the writing process takes under load holds all that it had acknowledged, and the log goes on', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const acknowledged: string[] = []
  const work = { isOver: false }
  const writers = ['a', 'b', 'c'].map(async (thread) => {
    for (let n = 0; !work.isOver; n++) {
      const records = await log.append(thread, counted(n, n + 1))
      for (const { seq, id, hash } of records) acknowledged.push(`${thread} ${seq} ${id} ${hash}`)
    }
  })
  for (let backup = 0; backup < BACKUPS; backup++) {
    await setTimeout(50)
    const before = [...acknowledged]
    expect(before.length).toBeGreaterThan(0)
    const copy = freshPath()
    await backUp(path, copy, () => setTimeout(5))
    expect(await brokenPromise(copy, before)).toBeUndefined()
  }
  await setTimeout(50)
  work.isOver = true
  await Promise.all(writers)
  await log.close()
  expect(await brokenPromise(path, acknowledged)).toBeUndefined()
})

const EVENTS = timesInTier({ quick: 2_000, full: 100_000 })

test(`[D6] a backup of ${EVENTS} events is open again after the time that this tells`, async ({
  annotate,
}) => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  for (let n = 0; n < EVENTS; n += 1_000) await log.append('t', counted(n, n + 1_000))
  const copy = freshPath()
  await backUp(path, copy, async () => {})
  await log.close()
  const since = performance.now()
  const restored = await openLog(`sqlite:${copy}`)
  const opened = performance.now()
  expect(await restored.verify('t')).toMatchObject({ ok: true, head: EVENTS - 1, unanchored: 0 })
  const verified = performance.now()
  await restored.close()
  const [open, verify] = [opened - since, verified - opened].map(Math.round)
  const restore = `open after ${open} ms, verified ${verify} ms later`
  await annotate(`${EVENTS.toLocaleString('en')} events restored: ${restore}`, 'promise')
}, 60_000)
