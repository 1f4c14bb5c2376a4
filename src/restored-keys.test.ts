import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LogError } from './log/index.ts'
import type { Keys } from './log/index.ts'
import { open } from './open.ts'
import type { StoreOptions } from './open.ts'
import { noPostgres, postgresServer } from './storage/postgres/postgres-server.fixture.ts'
import { openKeys } from './storage/index.ts'
import { freshPath } from './storage/sqlite-folder.fixture.ts'
import { PLANTED, plantedIn, visit, visitsApp } from './visits.fixture.ts'
import { recordsOf } from '../test/memory-log.fixture.ts'

const server = postgresServer()
const REQUEST = { by: 'operator-7', why: 'asked by letter' }

async function opened(store: string, options: Partial<StoreOptions> & { erasable?: boolean } = {}) {
  const faults: unknown[] = []
  const { erasable = true, ...rest } = options
  const onFault = (error: unknown): void => void faults.push(error)
  const tl = await open({ store, apps: [visitsApp({ erasable })], onFault, ...rest })
  onTestFinished(() => tl.close(0))
  return Object.assign(tl, { faults })
}
type Opened = Awaited<ReturnType<typeof opened>>

async function plantedRead(tl: Opened, thread: string): Promise<number> {
  const records = await recordsOf(tl.log, thread)
  return plantedIn(JSON.stringify([records, await tl.state(thread)]))
}

/** Copies the files of a store whose names match, and returns a function that puts the copies back. */
function backup(path: string, matching: RegExp): () => void {
  const [folder, to] = [dirname(path), mkdtempSync(`${path}.backup-`)]
  const names = () => readdirSync(folder).filter((name) => matching.test(name))
  for (const name of names()) cpSync(join(folder, name), join(to, name))
  return () => {
    for (const name of names()) rmSync(join(folder, name))
    for (const name of readdirSync(to)) cpSync(join(to, name), join(folder, name))
  }
}

const KEYS = /\.keys(-wal|-shm)?$/
const LOG = /^(?!.*\.keys|.*backup)/

async function madeAndClosed(): Promise<string> {
  const path = freshPath()
  const tl = await opened(`sqlite:${path}`)
  await visit(tl, 't')
  await visit(tl, 'other')
  await tl.close()
  return path
}

test('[L4] a store of keys that was restored gives no erased key back', async () => {
  const path = await madeAndClosed()
  const restore = backup(path, KEYS)
  const tl = await opened(`sqlite:${path}`)
  await tl.erase('t', REQUEST)
  await tl.close()
  restore()
  const after = await opened(`sqlite:${path}`)
  expect(await plantedRead(after, 't')).toBe(0)
  expect(await plantedRead(after, 'other')).toBe(PLANTED.length)
  expect(after.faults).toEqual([])
})

test('[L4] a log that was restored stays unreadable, and is told of its erasures again', async () => {
  const path = await madeAndClosed()
  const restore = backup(path, LOG)
  const tl = await opened(`sqlite:${path}`)
  const left = await tl.erase('t', REQUEST)
  await tl.close()
  restore()
  const after = await opened(`sqlite:${path}`)
  expect(await plantedRead(after, 't')).toBe(0)
  expect(await after.erase('t', { by: 'another', why: 'again' })).toMatchObject({
    by: left.by,
    at: left.at,
  })
  await expect(after.propose('t', [{ type: 'moved', data: { ward: 'x' } }])).rejects.toMatchObject({
    code: 'erased',
  })
  await after.close()
  const again = await opened(`sqlite:${path}`)
  expect(await plantedRead(again, 't')).toBe(0)
  expect(again.faults).toEqual([])
})

test('a start with other keys than those that sealed the log is refused, until that is meant', async () => {
  const path = await madeAndClosed()
  for (const name of readdirSync(dirname(path))) {
    if (KEYS.test(name)) rmSync(join(dirname(path), name))
  }
  await expect(opened(`sqlite:${path}`)).rejects.toMatchObject({ code: 'configuration' })
  await expect(opened(`sqlite:${path}`)).rejects.toThrow('restore the store of keys')
  const tl = await opened(`sqlite:${path}`, { lostKeys: 'accept' })
  expect(await plantedRead(tl, 't')).toBe(0)
  expect(String(tl.faults[0])).toContain('its key is lost')
  await visit(tl, 'new')
  expect(await plantedRead(tl, 'new')).toBe(PLANTED.length)
  await tl.close()
  const after = await opened(`sqlite:${path}`)
  expect(await plantedRead(after, 'new')).toBe(PLANTED.length)
})

test('[L4] an erasure that failed half-way is finished when it is asked for again', async () => {
  const path = await madeAndClosed()
  const keys = await openKeys(`sqlite:${path}.keys`)
  onTestFinished(() => keys.close())
  let failures = 1
  const failing: Keys = {
    id: keys.id,
    keyOf: (subject) => keys.keyOf(subject),
    find: (subject) => keys.find(subject),
    erased: (...page) => keys.erased(...page),
    followed: () => keys.followed(),
    follow: (seq) => keys.follow(seq),
    close: () => keys.close(),
    async erase(...given) {
      if (failures-- > 0) throw new LogError('storage_full', 'Cannot erase a key: the disk is full')
      await keys.erase(...given)
    },
  }
  const tl = await opened(`sqlite:${path}`, { keys: failing })
  // The follower of erasures may have met the fault before.
  await tl.erase('t', REQUEST).catch((error: unknown) => expect(error).toBeInstanceOf(LogError))
  expect(failures).toBeLessThan(1)
  expect(await tl.erase('t', REQUEST)).toMatchObject(REQUEST)
  expect(await keys.find('t')).toMatchObject({ status: 'erased' })
  expect(await plantedRead(tl, 't')).toBe(0)
})

test('keys that lie elsewhere are found there alone', async () => {
  const [path, elsewhere] = [freshPath(), freshPath()]
  const keys = `sqlite:${elsewhere}`
  const tl = await opened(`sqlite:${path}`, { keys })
  await visit(tl, 't')
  await tl.close()
  expect(readdirSync(dirname(path)).filter((name) => KEYS.test(name))).toEqual([])
  expect(readdirSync(dirname(elsewhere))).toContain(basename(elsewhere))
  const after = await opened(`sqlite:${path}`, { keys })
  expect(await plantedRead(after, 't')).toBe(PLANTED.length)
})

/** Enough for a snapshot. */
const addNotes = (tl: Opened, thread: string) =>
  tl.propose(
    thread,
    Array.from({ length: 1_000 }, () => ({ type: 'noted', data: { text: 'planted1x' } }) as const),
  )

test('an application that is erasable no more opens what it has sealed, and seals nothing new', async () => {
  const path = await madeAndClosed()
  const long = await opened(`sqlite:${path}`)
  await addNotes(long, 'other')
  await long.close()
  const tl = await opened(`sqlite:${path}`, { erasable: false })
  expect(await plantedRead(tl, 'other')).toBe(PLANTED.length)
  expect(await plantedRead(tl, 't')).toBe(PLANTED.length)
  await visit(tl, 'new')
  await addNotes(tl, 'new')
  await tl.close()
  const again = await opened(`sqlite:${path}`)
  expect(await again.erase('new', REQUEST)).toMatchObject({ sealed: 0 })
  expect((await again.erase('new', REQUEST)).clear).toBeGreaterThan(30)
  expect(await again.erase('t', REQUEST)).toMatchObject({ clear: 0 })
})

test.skipIf(noPostgres)(
  '[L4] a server that had the key in memory follows the erasure of another',
  async () => {
    const url = await server.newDatabase()
    const [one, two] = [await opened(url), await opened(`${url}?wakeups=poll`)]
    await visit(one, 't')
    expect(await plantedRead(two, 't')).toBe(PLANTED.length)
    await one.erase('t', REQUEST)
    await vi.waitFor(async () => expect(await plantedRead(two, 't')).toBe(0), { timeout: 5_000 })
    const moved = two.propose('t', [{ type: 'moved', data: { ward: 'x' } }])
    await expect(moved).rejects.toMatchObject({ code: 'erased' })
    expect([one.faults, two.faults]).toEqual([[], []])
  },
)
