import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { IndexedThread } from '../../src/log/index.ts'
import { openLog } from 'throughline/log'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { start } from '../../src/application/tickets.fixture.ts'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

/** Two pages of the feed, or three. */
const THREADS = timesInTier({ quick: 1_100, full: 2_200 })
const opened = { type: 'opened', data: { owner: 'ann' } }
const closed = { type: 'closed', data: {} }

test('a process that is killed between two writes of the thread index leaves a list that the next one completes', async () => {
  const path = freshPath()
  await writeTickets(path)
  const points = Number(listUntil(path, 0).stdout)
  expect(points).toBe(2 * (1 + 1 + Math.ceil(THREADS / 1_024)))
  for (const point of spread(points)) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}.side${end}`, { force: true })
    expect(listUntil(path, point).signal).toBe('SIGKILL')
    await expectWholeList(path)
  }
})

function listUntil(path: string, point: number) {
  const args = [...programArguments('list-until-point'), path, `${point}`]
  return spawnSync(process.execPath, args, { env: bareEnvironment(), encoding: 'utf8' })
}

function spread(points: number): readonly number[] {
  const taken = timesInTier({ quick: 3, full: points })
  return Array.from({ length: taken }, (_, at) => 1 + Math.floor(((at + 0.5) * points) / taken))
}

async function writeTickets(path: string): Promise<void> {
  const log = await openLog(`sqlite:${path}`)
  const names = Array.from({ length: THREADS }, (_, n) => `t${n}`)
  await Promise.all(names.map((thread) => log.append(thread, [opened])))
  await Promise.all(names.slice(0, 50).map((thread) => log.append(thread, [closed])))
  await log.close()
}

async function expectWholeList(path: string): Promise<void> {
  const log = await openLog(`sqlite:${path}`)
  const { shelves, threadIndex } = besideLog(path)
  const tl = await start({ log, threadIndex })
  const listed: IndexedThread[] = []
  for (let after: string | undefined; ;) {
    const page = await tl.threads({ limit: 1_000, ...(after !== undefined && { after }) })
    listed.push(...page.threads)
    after = page.next
    if (after === undefined) break
  }
  const wrong = listed.filter(({ thread, head, values }) => {
    const isClosed = Number(thread.slice(1)) < 50
    return head !== Number(isClosed) || values?.['status'] !== (isClosed ? 'closed' : 'open')
  })
  expect(wrong).toEqual([])
  expect(new Set(listed.map(({ thread }) => thread)).size).toBe(THREADS)
  expect(listed).toHaveLength(THREADS)
  await tl.drain()
  await shelves.close()
  await log.close()
}
