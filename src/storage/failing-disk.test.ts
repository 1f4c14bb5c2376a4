import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { LogError, draftAll } from '../log/index.ts'
import { AppendQueue, GROUP_EVENTS_MAX, PENDING_APPENDS_MAX } from './append-queue.ts'
import { HeadsFile } from './heads-file.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, recordsOf } from './sqlite-folder.fixture.ts'
import { SqliteLog } from './sqlite-log.ts'
import { SqliteReader } from './sqlite-reader.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { uuidv7 } from './uuidv7.ts'
import { holdWriteLock } from './write-lock.ts'

/** A log on a connection that the test can make fail, and the failures that it announced. */
function logOn(path: string, database: DatabaseSync) {
  const fatal: LogError[] = []
  const writer = new SqliteWriter(database, path, uuidv7)
  const headsFile = new HeadsFile({ path: `${path}.heads`, key: '', epoch: writer.epoch })
  headsFile.open()
  const log = new SqliteLog({
    writer,
    reader: new SqliteReader(path),
    headsFile,
    lock: holdWriteLock(path),
    suspects: new Map(),
    sources: { now: () => 0, id: uuidv7 },
    onFatal: (error) => fatal.push(error),
  })
  return { log, fatal }
}

test('[D3] on a full disk appends are refused, reads go on, and appends resume with the space', async () => {
  const path = freshPath()
  const database = new DatabaseSync(path)
  const { log, fatal } = logOn(path, database)
  const before = await log.append('t', counted(0, 10))
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {}
  database.exec(`PRAGMA max_page_count = ${Number(pages) + 2}`)
  const large = { type: 'large', data: 'x'.repeat(50_000) }
  const answers = await Promise.allSettled([
    log.append('t', [...counted(90, 92), large]),
    log.append('u', [large, large]),
  ])
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'storage_full' } })
  }
  expect(await recordsOf(log, 't')).toEqual(before)
  expect(await log.threads()).toEqual(['t'])
  const small = await log.append('t', counted(10, 11))
  expect(small).toMatchObject([{ seq: 10, prev: before.at(-1)?.hash }])
  database.exec('PRAGMA max_page_count = 1000000')
  expect(await log.append('u', [large])).toMatchObject([{ seq: 0 }])
  expect(await log.verify('t')).toEqual({ ok: true, head: 10 })
  expect(fatal).toEqual([])
  await log.close()
})

test('[D4] after an error of the disk nothing is appended any more, and reads go on', async () => {
  const path = freshPath()
  const database = new DatabaseSync(path)
  const failing = failingCommits(database)
  const { log, fatal } = logOn(path, failing.database)
  const before = await log.append('t', counted(0, 3))
  failing.fails = true
  const first = log.append('t', counted(3, 4))
  const sameTurn = log.append('u', counted(0, 1))
  await expect(first).rejects.toMatchObject({ code: 'io' })
  await expect(sameTurn).rejects.toMatchObject({ code: 'io' })
  failing.fails = false
  await expect(log.append('t', counted(4, 5))).rejects.toMatchObject({
    code: 'io',
    message: 'Cannot append to "t": the log has failed (Cannot append: disk I/O error)',
  })
  expect(fatal).toMatchObject([{ code: 'io' }])
  expect(await recordsOf(log, 't')).toEqual(before)
  expect(await log.head('t')).toBe(2)
  await log.close()
  const again = await openLog(`sqlite:${path}`)
  expect(await again.verify('t')).toEqual({ ok: true, head: 2 })
  await again.close()
})

test('no more appends wait than a bound allows', async () => {
  const committed: number[] = []
  const queue = new AppendQueue({
    commit: (group) => {
      committed.push(group.length)
      return group.map(() => ({ status: 'appended', appended: { records: [], fresh: [] } }))
    },
    committed: () => {},
    failed: () => {},
  })
  const appends = Array.from({ length: PENDING_APPENDS_MAX }, () =>
    queue.push({ thread: 't', drafts: [] }),
  )
  await expect(queue.push({ thread: 't', drafts: [] })).rejects.toMatchObject({ code: 'busy' })
  await Promise.all(appends)
  expect(committed).toEqual([PENDING_APPENDS_MAX])
  await queue.push({ thread: 't', drafts: [] })
})

test('a failure refuses also what waits for a later commit', async () => {
  const drafts = draftAll('t', counted(0, GROUP_EVENTS_MAX), { now: () => 0, id: uuidv7 })
  const failures: LogError[] = []
  const queue = new AppendQueue({
    commit: () => {
      throw new LogError('io', 'Cannot append: the disk is gone')
    },
    committed: () => {},
    failed: (error) => failures.push(error),
  })
  const appends = [1, 2, 3].map(() => queue.push({ thread: 't', drafts }))
  for (const outcome of await Promise.allSettled(appends)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'io' } })
  }
  expect(failures).toHaveLength(1)
})

test('appends of one turn of the event loop share a commit', async () => {
  const path = freshPath()
  const database = new DatabaseSync(path)
  const counting = failingCommits(database)
  const { log } = logOn(path, counting.database)
  await Promise.all(
    Array.from({ length: 64 }, (_, n) => log.append(`t${n % 8}`, counted(n, n + 1))),
  )
  expect(counting.commits).toBe(1)
  await log.close()
})

/** The connection of a writer, whose commits are counted and can be made to fail as a disk does. */
function failingCommits(real: DatabaseSync) {
  const state = { database: real, fails: false, commits: 0 }
  const prepare = real.prepare.bind(real)
  real.prepare = (sql, ...options) => {
    const statement = prepare(sql, ...options)
    if (sql !== 'COMMIT') return statement
    const run = statement.run.bind(statement)
    statement.run = () => {
      state.commits++
      if (state.fails) throw Object.assign(new Error('disk I/O error'), { errcode: 1_034 })
      return run()
    }
    return statement
  }
  return state
}
