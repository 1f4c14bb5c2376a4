import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { LogError } from '../../src/log/index.ts'
import type { EventLog, LogRecord, NewEvent } from 'throughline/log'
import { openLog } from 'throughline/log'
import { expect, test } from 'vitest'
import { counted, freshPath, recordsOf } from '../../src/storage/sqlite-folder.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'

const WRITERS = 8
const APPENDS = 60
const READERS = 8
/** Beyond the first part that an append is sent to the disk in, so that something is taken back. */
const LONG = 200
const HOLD_MAX_MS = 8
/** Records before a reader comes: by then the oldest of them are no longer kept in memory. */
const BEGUN_MAX = 2_500

type Random = () => number

const unfit: NewEvent = { type: '', data: {} }

/** Appends of all sorts: some wait for each other, some are refused, some when half is written. */
async function write(log: EventLog, random: Random) {
  const acknowledged: LogRecord[] = []
  let refused = 0
  for (let append = 0; append < APPENDS; append++) {
    const kind = random()
    const events = counted(0, kind < 0.12 ? LONG : 1 + Math.floor(random() * 5))
    const all = kind < 0.06 ? [...events, unfit] : events
    const options = kind > 0.9 ? { expectedVersion: Math.floor(random() * 100) } : {}
    try {
      acknowledged.push(...(await log.append('t', all, options)))
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      refused++
    }
    if (random() < 0.3) await setTimeout(random() * 4)
  }
  return { acknowledged, refused }
}

/** Another process's transactions on the file: commits are slow, and some wait for others. */
async function slowDown(path: string, random: Random, until: AbortSignal): Promise<number> {
  const other = new DatabaseSync(path, { timeout: 0 })
  let held = 0
  while (!until.aborted) {
    if (begins(other)) {
      held++
      await setTimeout(random() * HOLD_MAX_MS)
      other.exec('ROLLBACK')
    }
    await setTimeout(random() * 2 * HOLD_MAX_MS)
  }
  other.close()
  return held
}

/** Returns false if the log holds the file, because this thread may have to release it. */
function begins(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN IMMEDIATE')
    return true
  } catch {
    return false
  }
}

interface Reading {
  readonly after: number
  readonly seen: readonly LogRecord[]
}

const END = 'the end'

async function follow(log: EventLog, random: Random): Promise<Reading> {
  const begun = random() * BEGUN_MAX
  while ((await log.head('t')) < begun) await setTimeout(2)
  const after = random() < 0.5 ? -1 : await log.head('t')
  const seen: LogRecord[] = []
  const reader = log.subscribe('t', { after })
  while (seen.at(-1)?.type !== END) {
    const step = await reader.next()
    if (step.done) break
    seen.push(...step.value)
    if (random() < 0.2) await setTimeout(random() * 10)
  }
  await reader.return?.()
  return { after, seen }
}

/** Keeps nothing but the seq that it has got to, as a reader does that comes back by and by. */
async function poll(log: EventLog, random: Random): Promise<Reading> {
  const seen: LogRecord[] = []
  while (seen.at(-1)?.type !== END) {
    for await (const batch of log.read('t', { after: seen.at(-1)?.seq ?? -1, limit: 50 })) {
      seen.push(...batch)
    }
    await setTimeout(random() * 10)
  }
  return { after: -1, seen }
}

test(`[S1] ${2 * READERS} readers miss nothing of ${WRITERS} writers with slow commits and appends that fail`, async ({
  annotate,
}) => {
  const seed = newSeed()
  const random = chance(seed)
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const done = new AbortController()
  const slowing = slowDown(path, random, done.signal)
  const readers = Array.from({ length: READERS }, () => [follow(log, random), poll(log, random)])
  const writers = Array.from({ length: WRITERS }, () => write(log, random))
  const written = await Promise.all(writers)
  const acknowledged = written.flatMap((writer) => writer.acknowledged)
  const refused = written.reduce((sum, writer) => sum + writer.refused, 0)
  expect(refused).toBeGreaterThan(0)
  acknowledged.push(...(await log.append('t', [{ type: END, data: {} }])))
  const readings = await Promise.all(readers.flat())
  done.abort()
  const held = await slowing
  expect(held).toBeGreaterThan(0)
  const inOrder = acknowledged.toSorted((one, other) => one.seq - other.seq)
  const stored = await recordsOf(log, 't')
  expect(stored.length).toBe(inOrder.length)
  expect(stored).toEqual(inOrder)
  let missed = 0
  for (const { after, seen } of readings) {
    const due = inOrder.slice(after + 1)
    const got = new Set(seen.map(({ id }) => id))
    missed += due.filter(({ id }) => !got.has(id)).length
    expect(seen, `after ${after}`).toEqual(due)
  }
  await log.close()
  const read = readings.reduce((sum, { seen }) => sum + seen.length, 0)
  const slowed = `${refused} appends failed, the file was held by another process ${held} times`
  const said = `${readings.length} readers missed ${missed} of ${acknowledged.length} records`
  await annotate(`${said}, ${read} read in order; ${slowed}`, 'promise')
}, 60_000)

interface Transaction {
  readonly number: number
  readonly committedAt: number
}

/** Numbers rows as a table does that assigns numbers at the beginning of a transaction. */
function numberedBeforeCommit(random: Random): readonly Transaction[] {
  const committed: Transaction[] = []
  const clocks = Array.from({ length: WRITERS }, () => random() * 10)
  for (let number = 1; number <= WRITERS * APPENDS; number++) {
    const writer = clocks.indexOf(Math.min(...clocks))
    const end = (clocks[writer] ?? 0) + random() * 10
    clocks[writer] = end
    if (random() > 0.1) committed.push({ number, committedAt: end })
  }
  return committed
}

test('[S1] a reader that trusts numbers given before the commit misses some', async ({
  annotate,
}) => {
  const seed = newSeed()
  const committed = numberedBeforeCommit(chance(seed))
  const end = Math.max(...committed.map(({ committedAt }) => committedAt))
  let [cursor, seen] = [0, 0]
  for (let now = 0; now <= end + 1; now++) {
    const fresh = committed.filter((row) => row.committedAt <= now && row.number > cursor)
    cursor = Math.max(cursor, ...fresh.map(({ number }) => number))
    seen += fresh.length
  }
  const missed = committed.length - seen
  expect(missed).toBeGreaterThan(0)
  const share = Math.round((100 * missed) / committed.length)
  await annotate(`a cursor on numbers given before the commit misses ${share} %`, 'promise')
})
