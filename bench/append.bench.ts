import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventLog, NewEvent } from 'throughline/log'
import { openLog } from 'throughline/log'
import { bareHttp, durableStreamsOnDisk, ourClick, ourHttp } from './append-servers.ts'
import type { AppendServer } from './append-servers.ts'
import { AppendWriters } from './append-writers.ts'
import type { Benchmark, Outcome, Run } from './benchmark.ts'
import { costBeside, faster, shareOf, yieldsAll } from './goals.ts'

const APPENDS = 300
const BATCHES = 16
const BATCH = 256
const CONCURRENT = 64
const ROUNDS = 20
const WRITERS = 32
const POSTS = 320
/** Runs of every candidate before the first that counts: code that waits for a disk is compiled late. */
const WARM_UPS = 4

const RAW = 'raw node:sqlite'
const ONE_BY_ONE = 'ours, one by one'
const BARE = 'bare node:http'
const BARE_APPEND = 'bare node:http, same append'
const DURABLE_STREAMS = 'Durable Streams, files'

/** Of 300 bytes as JSON. */
const event: NewEvent = {
  type: 'noted',
  data: { text: 'x'.repeat(203) },
  origin: { source: 'ui', surface: 'customer', depth: 0 },
}

/** The disk is waited for, so that what counts is the time that passes, not that of the processor. */
export const appends: readonly Benchmark[] = [
  {
    id: 'W1 singles',
    what: 'durable appends, one after another',
    unit: 'event',
    units: APPENDS,
    yields: 'events',
    run: onLog((log) => oneByOne(log, APPENDS)),
    limit: { name: RAW, prepare: rawOneByOne },
    peers: [],
    goals: [yieldsAll(APPENDS), shareOf(RAW, 0.5)],
  },
  {
    id: 'W1 batches',
    what: `durable appends of ${BATCH}`,
    unit: 'event',
    units: BATCHES * BATCH,
    yields: 'events',
    run: onLog(inBatches),
    limit: { name: RAW, prepare: rawInBatches },
    peers: [],
    goals: [yieldsAll(BATCHES * BATCH), shareOf(RAW, 0.4)],
  },
  {
    id: 'W2 together',
    what: `durable appends of ${CONCURRENT} writers, each to a thread of its own`,
    unit: 'event',
    units: ROUNDS * CONCURRENT,
    yields: 'events',
    run: onLog(together),
    peers: [{ name: ONE_BY_ONE, prepare: onLog((log) => oneByOne(log, ROUNDS * CONCURRENT)) }],
    goals: [yieldsAll(ROUNDS * CONCURRENT), faster(ONE_BY_ONE, 10)],
  },
  {
    id: 'W2 HTTP',
    what: `durable appends over HTTP, ${WRITERS} writers, one thread`,
    unit: 'POST',
    units: POSTS,
    yields: 'acknowledged',
    run: overHttp(ourHttp),
    limit: { name: BARE, prepare: overHttp(bareHttp) },
    peers: [{ name: DURABLE_STREAMS, prepare: overHttp(durableStreamsOnDisk) }],
    goals: [yieldsAll(POSTS), shareOf(BARE, 0.7), faster(DURABLE_STREAMS, 9)],
  },
  {
    id: 'W6 click',
    what: 'clicks of one person over HTTP, each answered when it is recorded, with the new state',
    unit: 'click',
    units: POSTS,
    yields: 'acknowledged',
    run: overHttp(ourClick, {
      body: { events: [{ type: event.type, data: event.data }] },
      writers: 1,
    }),
    peers: [{ name: BARE_APPEND, prepare: overHttp(ourHttp, { body: event, writers: 1 }) }],
    goals: [yieldsAll(POSTS), costBeside(BARE_APPEND, 1.5)],
  },
]

function onLog(append: (log: EventLog) => Promise<number>): () => Promise<Run> {
  return async () => {
    const log = await openLog(`sqlite:${join(newFolder(), 'log.db')}`)
    return timed(() => append(log))
  }
}

async function oneByOne(log: EventLog, count: number): Promise<number> {
  let appended = 0
  while (appended < count) appended += (await log.append('t', [event])).length
  return appended
}

async function inBatches(log: EventLog): Promise<number> {
  const batch = Array.from({ length: BATCH }, () => event)
  let appended = 0
  for (let n = 0; n < BATCHES; n++) appended += (await log.append('t', batch)).length
  return appended
}

async function together(log: EventLog): Promise<number> {
  let appended = 0
  const writers = Array.from({ length: CONCURRENT }, async (_, writer) => {
    for (let round = 0; round < ROUNDS; round++) {
      const records = await log.append(`t${writer}`, [event])
      appended += records.length
    }
  })
  await Promise.all(writers)
  return appended
}

function openRaw() {
  const database = new DatabaseSync(join(newFolder(), 'raw.db'))
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events (thread TEXT, seq INTEGER, body TEXT, PRIMARY KEY (thread, seq))
      WITHOUT ROWID`)
  const statement = database.prepare('INSERT INTO events VALUES (?, ?, ?)')
  let seq = 0
  const insert = () => statement.run('t', seq++, JSON.stringify(event))
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  return { insert, begin, commit }
}

function rawOneByOne(): Promise<Run> {
  const { insert } = openRaw()
  return timed(() => {
    for (let n = 0; n < APPENDS; n++) insert()
    return APPENDS
  })
}

function rawInBatches(): Promise<Run> {
  const { insert, begin, commit } = openRaw()
  return timed(() => {
    for (let n = 0; n < BATCHES; n++) {
      begin.run()
      for (let one = 0; one < BATCH; one++) insert()
      commit.run()
    }
    return BATCHES * BATCH
  })
}

function overHttp(
  open: (folder: string) => Promise<AppendServer>,
  posted: { readonly body: unknown; readonly writers: number } = { body: event, writers: WRITERS },
): () => Promise<Run> {
  return async () => {
    const { port, path } = await open(newFolder())
    const body = JSON.stringify(posted.body)
    const writers = new AppendWriters({ port, path, body, writers: posted.writers })
    return timed(() => writers.post(POSTS))
  }
}

/** Warms a run up and then counts the time that passes. */
async function timed(run: () => number | Promise<number>): Promise<Run> {
  for (let time = 0; time < WARM_UPS; time++) await run()
  return async (): Promise<Outcome> => {
    const since = process.hrtime.bigint()
    const yielded = await run()
    return { cost: Number(process.hrtime.bigint() - since), yielded }
  }
}

/** On the disk that logs lie on; it goes with the process. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
