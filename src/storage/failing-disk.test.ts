import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { LogError, draftAll } from '../log/index.ts'
import { AppendQueue, PENDING_APPENDS_MAX } from './append-queue.ts'
import type { Answer } from './commit-messages.ts'
import { Bench } from './committer.fixture.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, recordsOf } from './sqlite-folder.fixture.ts'
import { uuidv7 } from './uuidv7.ts'

function seqsIn(database: DatabaseSync, thread: string): number[] {
  const of = 'thread = (SELECT number FROM threads WHERE name = ?)'
  const rows = database.prepare(`SELECT seq FROM records WHERE ${of} ORDER BY seq`).all(thread)
  return rows.map(({ seq }) => Number(seq))
}

test('[D3] on a full disk appends are refused, reads go on, and appends resume with the space', async () => {
  const path = freshPath()
  const bench = new Bench(path)
  const { database } = bench
  bench.send('t', counted(0, 10))
  expect(bench.flush()).toMatchObject([{ status: 'appended' }])
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {}
  database.exec(`PRAGMA max_page_count = ${Number(pages) + 2}`)
  const large = { type: 'large', data: 'x'.repeat(50_000) }
  bench.send('t', [...counted(90, 92), large])
  bench.send('u', [large], [large])
  for (const answer of bench.flush()) {
    expect(answer).toMatchObject({ status: 'refused', failure: { code: 'storage_full' } })
  }
  expect(seqsIn(database, 't')).toHaveLength(10)
  expect(database.prepare('SELECT name FROM threads').all()).toEqual([{ name: 't' }])
  bench.send('t', counted(10, 11))
  expect(bench.flush()).toMatchObject([{ status: 'appended', before: { seq: 9 } }])
  database.exec('PRAGMA max_page_count = 1000000')
  bench.send('u', [large])
  expect(bench.flush()).toMatchObject([{ status: 'appended', before: { seq: -1 } }])
  bench.committer.close()
  const log = await openLog(`sqlite:${path}`)
  expect(await log.verify('t')).toEqual({ ok: true, head: 10 })
  expect(await log.verify('u')).toEqual({ ok: true, head: 0 })
  await log.close()
})

test('[D4] after an error of the disk nothing is appended any more', async () => {
  const path = freshPath()
  let fails = false
  const bench = new Bench(path, (database) => {
    const prepare = database.prepare.bind(database)
    database.prepare = (sql, ...options) => {
      const statement = prepare(sql, ...options)
      const run = statement.run.bind(statement)
      if (sql === 'COMMIT') statement.run = () => (fails ? failAsADiskDoes() : run())
      return statement
    }
  })
  bench.send('t', counted(0, 3))
  expect(bench.flush()).toMatchObject([{ status: 'appended' }])
  fails = true
  bench.send('t', counted(3, 4))
  bench.send('u', counted(0, 1))
  bench.committer.receive({ kind: 'flush' })
  bench.committer.settle()
  const refused = {
    status: 'refused',
    failure: { code: 'io', message: 'Cannot append: disk I/O error' },
  }
  expect(bench.replies.splice(0)).toMatchObject([
    { kind: 'answers', answers: [refused, refused] },
    { kind: 'failed', failure: { code: 'io' } },
  ])
  fails = false
  bench.send('t', counted(4, 5))
  expect(bench.flush()).toEqual([])
  bench.committer.close()
  const again = await openLog(`sqlite:${path}`)
  expect(await again.verify('t')).toEqual({ ok: true, head: 2 })
  await again.close()
})

function failAsADiskDoes(): never {
  throw Object.assign(new Error('disk I/O error'), { errcode: 1_034 })
}

test('an append that comes in parts enters whole, also where one of its ids is held already', () => {
  const bench = new Bench(freshPath())
  const events = counted(0, 40).map((event) => ({ ...event, id: uuidv7() }))
  bench.send('t', events.slice(5, 6))
  bench.send('new', counted(0, 3), counted(3, 20))
  bench.send('t', events.slice(0, 4), events.slice(4, 30), events.slice(20, 40))
  const [, , answer] = bench.flush()
  expect(answer).toMatchObject({ status: 'appended', before: { seq: 0 } })
  const { hashes, held } = answer as Extract<Answer, { status: 'appended' }>
  expect(hashes).toHaveLength(39)
  expect(held?.flatMap((text, index) => (text === null ? [] : [index]))).toEqual(
    // One that was there before, and ten that stand in two of the parts.
    [5, ...Array.from({ length: 10 }, (_, n) => 30 + n)],
  )
  expect(seqsIn(bench.database, 't')).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(seqsIn(bench.database, 'new')).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('an append whose later part is unfit leaves nothing, not even the name of its thread', () => {
  const bench = new Bench(freshPath())
  bench.send('t', counted(0, 2))
  for (const thread of ['t', 'u']) {
    bench.sendPart(100, { thread, events: counted(2, 30), position: 'first' })
    bench.committer.receive({ kind: 'cancel', number: 100 })
  }
  bench.send('t', counted(2, 3))
  expect(bench.flush()).toMatchObject([{ before: { seq: -1 } }, { before: { seq: 1 } }])
  expect(seqsIn(bench.database, 't')).toEqual([0, 1, 2])
  expect(bench.database.prepare('SELECT name FROM threads').all()).toEqual([{ name: 't' }])
})

const draft = (thread: string, events: Parameters<typeof draftAll>[1]) =>
  draftAll(thread, events, { now: () => 0, id: uuidv7 })

test('no more appends wait than a bound allows', async () => {
  const queue = new AppendQueue({
    draft,
    send: () => {},
    committed: () => {},
    waiting: () => {},
    failed: () => {},
  })
  const push = () => queue.push({ thread: 't', events: counted(0, 1), expectedVersion: null })
  const appends = Array.from({ length: PENDING_APPENDS_MAX }, push)
  await expect(push()).rejects.toMatchObject({ code: 'busy' })
  const before = { seq: -1, hash: '' }
  queue.answer(
    appends.map((_, number) => ({
      status: 'appended',
      number,
      before,
      hashes: [''],
      held: null,
    })),
  )
  await Promise.all(appends)
  const last = push()
  queue.answer([
    { status: 'refused', number: PENDING_APPENDS_MAX, failure: { code: 'locked', message: 'm' } },
  ])
  await expect(last).rejects.toMatchObject({ code: 'locked' })
})

test('a failure refuses what waits and what comes, and is announced once', async () => {
  const failures: LogError[] = []
  const states: string[] = []
  const queue = new AppendQueue({
    draft,
    send: () => {},
    committed: () => {},
    waiting: (state) => states.push(state),
    failed: (error) => failures.push(error),
  })
  const push = () => queue.push({ thread: 't', events: counted(0, 1), expectedVersion: null })
  const appends = [push(), push()]
  queue.fail(new LogError('io', 'Cannot append: the disk is gone'))
  queue.fail(new LogError('io', 'Cannot append: the disk is gone'))
  for (const outcome of await Promise.allSettled([...appends, push()])) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'io',
        message: 'Cannot append to "t": the log has failed (Cannot append: the disk is gone)',
      },
    })
  }
  expect(failures).toHaveLength(1)
  expect(states).toEqual(['some', 'none'])
})

test('[D4] a log whose writing thread cannot work says so, and can still be read and closed', async () => {
  const path = freshPath()
  const before = await openLog(`sqlite:${path}`)
  const records = await before.append('t', counted(0, 3))
  await before.close()
  const fatal: LogError[] = []
  const log = await openLog(`sqlite:${path}`, { onFatal: (error) => fatal.push(error) })
  renameSync(path, `${path}.aside`)
  mkdirSync(path)
  await expect(log.append('t', counted(3, 4))).rejects.toMatchObject({ code: 'io' })
  await expect(log.append('t', counted(3, 4))).rejects.toMatchObject({ code: 'io' })
  expect(fatal).toMatchObject([{ code: 'io' }])
  expect(await recordsOf(log, 't')).toEqual(records)
  expect(await log.verify('t')).toEqual({ ok: true, head: 2 })
  await log.close()
})

test('appends of one turn of the event loop share a commit', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  await log.append('first', counted(0, 1))
  const lines = () => readFileSync(`${path}.heads`, 'utf8').split('\n').length
  const before = lines()
  await Promise.all(
    Array.from({ length: 64 }, (_, n) => log.append(`t${n % 8}`, counted(n, n + 1))),
  )
  // One line of heads per commit.
  expect(lines() - before).toBe(1)
  await setTimeout(1)
  await log.close()
})
