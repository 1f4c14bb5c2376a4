import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullTest, timesInTier } from '../../test/tier.fixture.ts'
import { LogError, MemoryLog, eventLogContract } from '../log/index.ts'
import type { EventLog, Moved, NewEvent } from '../log/index.ts'
import { GROUP_EVENTS_MAX } from './commit/append-queue.ts'
import { openLog } from './open-log.ts'
import { sha256 } from '../platform/index.ts'
import { openOnASlowDisk } from './slow-disk.fixture.ts'
import { counted, freshPath, recordsOf } from './sqlite-folder.fixture.ts'

const open = () => openLog(`sqlite:${freshPath()}`)

for (const { name, run } of eventLogContract(open)) test(name, run)

/** What crosses to the thread for commits, and comes back; a read does not. */
const CROSSES = /append|carr|1 MiB/

for (const { name, run } of eventLogContract(() => openOnASlowDisk(freshPath()))) {
  const add = CROSSES.test(name) ? test : fullTest
  add(`${name} (in a thread)`, run)
}

test('a log that is opened again holds the same records, under the same epoch', async () => {
  const url = `sqlite:${freshPath()}`
  const before = await openLog(url)
  const records = await before.append('t', counted(0, 300))
  await before.close()
  const after = await openLog(url)
  expect(after.epoch).toBe(before.epoch)
  expect(await recordsOf(after, 't')).toEqual(records)
  expect(
    await after.append('t', [{ ...counted(0, 1)[0], id: records[7]?.id } as NewEvent]),
  ).toEqual([records[7]])
  const [next] = await after.append('t', counted(300, 301))
  expect(next).toMatchObject({ seq: 300, prev: records.at(-1)?.hash })
  expect(await after.verify('t')).toMatchObject({ ok: true, head: 300, unanchored: 0 })
  await after.close()
})

test('[L13] a position of the feed is good for its log when it is opened again, and for no other', async () => {
  const paths = [freshPath(), freshPath()] as const
  for (const path of paths) {
    const log = await openLog(`sqlite:${path}`)
    for (const thread of ['a', 'b', 'c']) await log.append(thread, counted(0, 2))
    await log.close()
  }
  const [own, other] = [await openLog(`sqlite:${paths[0]}`), await openLog(`sqlite:${paths[1]}`)]
  const moved = await firstBatch(own)
  expect(moved.map(({ thread, head }) => [thread, head])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  const after = moved[1]?.position ?? ''
  expect((await firstBatch(own, after)).map(({ thread }) => thread)).toEqual(['c'])
  expect(await firstBatch(other, after)).toHaveLength(3)
  for (const log of [own, other]) await log.close()
})

async function firstBatch(log: EventLog, after = ''): Promise<readonly Moved[]> {
  for await (const batch of log.feed({ after })) return batch
  return []
}

test('two logs have two epochs', async () => {
  const logs = [await openLog(`sqlite:${freshPath()}`), await openLog(`sqlite:${freshPath()}`)]
  expect(new Set(logs.map(({ epoch }) => epoch)).size).toBe(2)
  for (const log of logs) await log.close()
})

test('[L7] appends that are under way when the log is closed are committed', async () => {
  const url = `sqlite:${freshPath()}`
  const fatal: LogError[] = []
  const log = await openLog(url, { onFatal: (error) => fatal.push(error) })
  const size = GROUP_EVENTS_MAX / 2 + 1
  const appending = [0, 1, 2, 3, 4].map((n) => log.append('t', counted(n * size, (n + 1) * size)))
  await log.close()
  expect((await Promise.all(appending)).flat()).toHaveLength(5 * size)
  await setTimeout(5)
  expect(fatal).toEqual([])
  const again = await openLog(url)
  expect(await again.head('t')).toBe(5 * size - 1)
  await again.close()
})

test('a log waits for a file that another process writes to', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const appending = log.append('t', counted(0, 1))
  await setTimeout(50)
  expect(await log.head('t')).toBe(-1)
  other.exec('COMMIT')
  expect(await appending).toHaveLength(1)
  other.close()
  await log.close()
})

test('an append that still waits for a busy file when the log is closed is refused', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const appending = log.append('t', counted(0, 1)).catch((error: unknown) => error)
  await log.close()
  expect(await appending).toMatchObject({ code: 'busy' })
  other.close()
})

interface Step {
  readonly thread: string
  readonly ids: readonly number[]
  readonly expected: number | undefined
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  thread: fc.constantFrom('a', 'b', 'ü'),
  ids: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
  expected: fc.option(fc.integer({ min: -1, max: 12 }), { nil: undefined }),
})

test('a log in memory and one in SQLite answer the same to every sequence of appends', async () => {
  const options = { now: () => 5, id: () => '00000000-0000-7000-8000-00000000ffff' }
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 30 }),
      fc.nat({ max: 5 }),
      async (steps, cut) => {
        const path = freshPath()
        const memory = new MemoryLog({ hash: sha256, ...options, epoch: 'e' })
        let sqlite = await openLog(`sqlite:${path}`, options)
        const expected = await Promise.all(steps.map((step) => outcome(memory, step)))
        const first = await Promise.all(steps.slice(0, cut).map((step) => outcome(sqlite, step)))
        await sqlite.close()
        sqlite = await openLog(`sqlite:${path}`, options)
        const rest = await Promise.all(steps.slice(cut).map((step) => outcome(sqlite, step)))
        expect([...first, ...rest]).toEqual(expected)
        expect(await contents(sqlite)).toEqual(await contents(memory))
        await sqlite.close()
      },
    ),
    { numRuns: timesInTier({ quick: 8, full: 25 }) },
  )
})

async function outcome(log: EventLog, { thread, ids, expected }: Step): Promise<unknown> {
  const events = ids.map((n) => ({
    id: `00000000-0000-7000-8000-0000000000${n.toString(16).padStart(2, '0')}`,
    type: 'any',
    data: { n },
  }))
  const options = expected === undefined ? {} : { expectedVersion: expected }
  try {
    return await log.append(thread, events, options)
  } catch (error) {
    return error instanceof LogError ? `${error.code}: ${error.message}` : error
  }
}

async function contents(log: EventLog): Promise<unknown> {
  const threads = await log.threads()
  return Promise.all(
    threads.map(async (thread) => [
      thread,
      await log.head(thread),
      await recordsOf(log, thread),
      await log.verify(thread).then(({ anchored: _, ...verdict }) => verdict),
    ]),
  )
}
