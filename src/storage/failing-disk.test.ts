import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { LogError, draftAll } from '../log/index.ts'
import type { Appended } from '../log/index.ts'
import { AppendQueue, PENDING_APPENDS_MAX, PENDING_CHARS_MAX } from './commit/append-queue.ts'
import type { QueueParts } from './commit/append-queue.ts'
import type { Committed } from './commit/committer.ts'
import type { DraftedAppend, Outcome } from './commit/drafted-append.ts'
import { committerOn, drafted, onlyOf } from './commit/committer.fixture.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, recordsOf } from './sqlite-folder.fixture.ts'
import { uuidv7 } from '../platform/index.ts'

/** Only the administrator of a Linux may mount a small disk. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0

function seqsIn(database: DatabaseSync, thread: string): number[] {
  const of = 'thread = (SELECT number FROM threads WHERE name = ?)'
  const rows = database.prepare(`SELECT seq FROM records WHERE ${of} ORDER BY seq`).all(thread)
  return rows.map(({ seq }) => Number(seq))
}

test('[D3] on a full disk appends are refused, reads go on, and appends resume with the space', async () => {
  const path = freshPath()
  const { database, committer } = committerOn(path)
  expect(committer.commit([drafted('t', counted(0, 10))])).toMatchObject({ status: 'committed' })
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {}
  database.exec(`PRAGMA max_page_count = ${Number(pages) + 2}`)
  const large = { type: 'large', data: 'x'.repeat(50_000) }
  const refused = [drafted('t', [...counted(90, 92), large]), drafted('u', [large, large])]
  expect(committer.commit(refused)).toMatchObject({
    status: 'refused',
    refusal: { code: 'storage_full' },
    failure: null,
  })
  expect(seqsIn(database, 't')).toHaveLength(10)
  expect(database.prepare('SELECT name FROM threads').all()).toEqual([{ name: 't' }])
  const small = onlyOf(committer.commit([drafted('t', counted(10, 11))]))
  expect(small.records).toMatchObject([{ seq: 10 }])
  database.exec('PRAGMA max_page_count = 1000000')
  expect(onlyOf(committer.commit([drafted('u', [large])])).records).toMatchObject([{ seq: 0 }])
  committer.close()
  const log = await openLog(`sqlite:${path}`)
  expect(await log.verify('t')).toMatchObject({ ok: true, head: 10, unanchored: 0 })
  expect(await log.verify('u')).toMatchObject({ ok: true, head: 0, unanchored: 0 })
  await log.close()
})

test.skipIf(!mayMount)(
  '[D3] a closed log on a full disk is opened to read, and takes appends once there is space',
  async () => {
    const folder = fullDisk()
    const path = join(folder, 'log.db')
    const options = { anchorKeys: ['a key of more than thirty-two bytes, at least'] }
    const first = await openLog(`sqlite:${path}`, options)
    await first.append('t', counted(0, 3))
    await first.close()
    fill(join(folder, 'full'))
    const warnings: string[] = []
    const onWarning = (warning: string) => void warnings.push(warning)
    const log = await openLog(`sqlite:${path}`, { ...options, onWarning })
    expect(warnings).toMatchObject([expect.stringContaining('it can be read')])
    expect(await recordsOf(log, 't')).toHaveLength(3)
    expect(await log.verify('t')).toMatchObject({ ok: true, head: 2, unanchored: 0 })
    const refusal = { code: 'storage_full' }
    for (let n = 0; n < 3; n++) {
      await expect(log.append('t', counted(3, 4))).rejects.toMatchObject(refusal)
    }
    rmSync(join(folder, 'full'))
    expect(await log.append('t', counted(3, 4))).toMatchObject([{ seq: 3 }])
    expect(await recordsOf(log, 't')).toHaveLength(4)
    await log.close()
    const again = await openLog(`sqlite:${path}`, options)
    expect(again.epoch).toBe(first.epoch)
    expect(await again.verify('t')).toMatchObject({ ok: true, head: 3, unanchored: 0 })
    await again.close()
  },
)

test('[D4] a transaction that an error of the disk ended is given up, and what follows is final', async () => {
  const path = freshPath()
  let fails = false
  const { committer } = committerOn(path, (database) => {
    const prepare = database.prepare.bind(database)
    database.prepare = (sql, ...options) => {
      const statement = prepare(sql, ...options)
      const run = statement.run.bind(statement)
      if (sql === 'COMMIT') statement.run = () => (fails ? failAsADiskDoes() : run())
      return statement
    }
  })
  expect(committer.commit([drafted('t', counted(0, 3))])).toMatchObject({ status: 'committed' })
  fails = true
  const io = { code: 'io', message: 'Cannot append: disk I/O error' }
  expect(
    committer.commit([drafted('t', counted(3, 4)), drafted('u', counted(0, 1))]),
  ).toMatchObject({
    status: 'refused',
    refusal: io,
    failure: io,
  })
  committer.close()
  const again = await openLog(`sqlite:${path}`)
  expect(await again.verify('t')).toMatchObject({ ok: true, head: 2, unanchored: 0 })
  expect(await again.threads()).toEqual(['t'])
  await again.close()
})

/** A disk of 2 MiB. */
function fullDisk(): string {
  const folder = newFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

/** Leaves no page of the disk free. */
function fill(path: string): void {
  for (;;) {
    try {
      writeFileSync(path, Buffer.alloc(4_096), { flag: 'a' })
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
      return
    }
  }
}

function failAsADiskDoes(): never {
  throw Object.assign(new Error('disk I/O error'), { errcode: 1_034 })
}

test('an append enters as a whole, also where its ids are taken or occur twice in it', () => {
  const { database, committer } = committerOn(freshPath())
  const events = counted(0, 40).map((event) => ({ ...event, id: uuidv7() }))
  const [before, others, append] = [
    drafted('t', events.slice(5, 6)),
    drafted('new', counted(0, 20)),
    drafted('t', [...events.slice(0, 30), ...events.slice(20, 40)]),
  ]
  const committed = committer.commit([before, others, append])
  const outcome = committed.status === 'committed' ? committed.outcomes[2] : undefined
  const { fresh, records } = outcome as Appended
  expect(fresh.map(({ record }) => record.seq)).toEqual(Array.from({ length: 39 }, (_, n) => n + 1))
  expect(records).toHaveLength(50)
  expect(records[5]).toMatchObject({ seq: 0, id: events[5]?.id })
  expect(records.slice(30, 40)).toEqual(records.slice(20, 30))
  expect(seqsIn(database, 't')).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(seqsIn(database, 'new')).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

/** A queue in front of a disk that is up to the test. */
function queueOn(
  commit: (group: readonly DraftedAppend[]) => Promise<Committed>,
  draft: QueueParts['draft'] = drafts,
) {
  const failures: LogError[] = []
  const queue = new AppendQueue({
    refusal: () => undefined,
    draft,
    commit,
    committed: () => {},
    failed: (error) => failures.push(error),
  })
  const push = async () => queue.push('t', counted(0, 1), {})
  return { queue, push, failures }
}

const drafts: QueueParts['draft'] = (thread, events) =>
  draftAll(thread, events, { now: () => 0, id: uuidv7 })

const MEGABYTE = { type: 'large', data: 'x'.repeat(1_000_000) }
const APPENDED: Outcome = { records: [], fresh: [] }

test('no more appends wait than a bound allows', async () => {
  const disk = Promise.withResolvers<void>()
  const { push } = queueOn(async (group) => {
    await disk.promise
    return { status: 'committed', outcomes: group.map(() => APPENDED), failure: null, diskMs: 0 }
  })
  const appends = Array.from({ length: PENDING_APPENDS_MAX }, push)
  await expect(push()).rejects.toMatchObject({ code: 'busy' })
  disk.resolve()
  await Promise.all(appends)
  expect(await push()).toEqual([])
})

test('[D3] an append that was refused or committed no longer counts as waiting', async () => {
  const storageFull = new LogError('storage_full', 'Cannot append: the disk is full')
  const answers: readonly Committed[] = [
    { status: 'refused', refusal: storageFull, failure: null },
    { status: 'committed', outcomes: [APPENDED], failure: null, diskMs: 0 },
  ]
  const large = drafts('t', [MEGABYTE])
  for (const answer of answers) {
    const { queue } = queueOn(
      async () => answer,
      () => large,
    )
    const push = async () => queue.push('t', [MEGABYTE], {})
    for (let n = 0; n <= PENDING_CHARS_MAX / MEGABYTE.data.length + 1; n++) {
      const code = await push().then(
        () => 'committed',
        (error: LogError) => error.code,
      )
      expect(code).toBe(answer.status === 'refused' ? 'storage_full' : 'committed')
    }
  }
})

test('a failure refuses what waits and what comes, and is announced once, after that', async () => {
  const io = new LogError('io', 'Cannot append: the disk is gone')
  const { queue, push, failures } = queueOn(async () => ({
    status: 'refused',
    refusal: io,
    failure: io,
  }))
  const heard: unknown[] = []
  const first = push().catch((error: unknown) => heard.push(error, ...failures))
  await setImmediate()
  await first
  expect(heard).toEqual([io])
  const message = 'Cannot append to "t": the log has failed (Cannot append: the disk is gone)'
  await expect(push()).rejects.toMatchObject({ code: 'io', message })
  await setImmediate()
  expect(failures).toEqual([io])
  await queue.drain()
})

test('[D4] what waits when the one who commits is gone is refused', async () => {
  const { push, failures } = queueOn(() => Promise.reject(new Error('gone')))
  for (const outcome of await Promise.allSettled([push(), push()])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'io' } })
  }
  await setImmediate()
  expect(failures).toMatchObject([{ code: 'io', message: 'Cannot append: gone' }])
})

test('[D4] a log whose writing thread cannot work reports it, and can still be read and closed', async () => {
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
  await expect.poll(() => fatal).toMatchObject([{ code: 'io' }])
  expect(await recordsOf(log, 't')).toEqual(records)
  expect(await log.verify('t')).toMatchObject({ ok: true, head: 2, unanchored: 0 })
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
  await log.close()
})
