import { setImmediate as nextTurn } from 'node:timers/promises'
import { aguiRun } from './agui-server.ts'
import type { Benchmark, Candidate, Run } from './benchmark.ts'
import { costBeside, faster, shareOf, yieldsAll } from './goals.ts'
import { StreamReaders } from './stream-readers.ts'
import { betterSse, durableStreams, hono, memoryLog, ours, sharedChunk } from './stream-servers.ts'
import type { StreamServer } from './stream-servers.ts'
import type { Seen } from './subscribers.ts'

const READERS = 1_000
const STORED = 200_000

const SHARED_CHUNK = 'shared chunk'
const BETTER_SSE = 'better-sse'
const HONO = 'hono'
const DURABLE_STREAMS = 'Durable Streams'
const EMPTY = 'empty thread'
const RECORDS = 'records'

const newThread = () => ours(memoryLog())

export const fanOut: readonly Benchmark[] = [
  {
    ...toAll('W3 singles', 'events one by one to 1,000 readers', { ticks: 20, together: 1 }),
    goals: [
      yieldsAll(20 * READERS),
      shareOf(SHARED_CHUNK, 0.8),
      faster(BETTER_SSE, 2.4),
      faster(HONO, 4.5),
    ],
  },
  {
    ...toAll('W3 bursts', 'bursts of 16 to 1,000 readers', { ticks: 4, together: 16 }),
    goals: [yieldsAll(64 * READERS), faster(BETTER_SSE, 7)],
  },
  {
    id: 'T4 tabs',
    what: 'events one by one to 1,000 tabs that joined one run over AG-UI',
    unit: 'event',
    units: 20 * READERS,
    yields: 'events',
    run: delivery(aguiRun, { ticks: 20, together: 1 }),
    limit: { name: SHARED_CHUNK, prepare: delivery(sharedChunk, { ticks: 20, together: 1 }) },
    peers: [{ name: RECORDS, prepare: delivery(newThread, { ticks: 20, together: 1 }) }],
    goals: [yieldsAll(20 * READERS), shareOf(RECORDS, 0.8)],
  },
  {
    ...onTheWay('W4 p50', 'append to received, 1,000 readers, median', ({ p50 }) => p50),
    goals: [costBeside(SHARED_CHUNK, 1.2)],
  },
  { ...onTheWay('W4 p99', 'the same, 99 of 100', ({ p99 }) => p99), goals: [] },
  {
    id: 'W4 stored',
    what: `append to received, 1,000 readers, ${STORED.toLocaleString('en')} events stored`,
    unit: 'event',
    units: 1,
    yields: 'events',
    run: latency(withStored, ({ p50 }) => p50),
    peers: [{ name: EMPTY, prepare: latency(newThread, ({ p50 }) => p50) }],
    goals: [costBeside(EMPTY, 1.1)],
  },
]

interface Ticks {
  readonly ticks: number
  readonly together: number
}

function toAll(id: string, what: string, ticks: Ticks): Omit<Benchmark, 'goals'> {
  return {
    id,
    what,
    unit: 'event',
    units: ticks.ticks * ticks.together * READERS,
    yields: 'events',
    ...beside((open) => delivery(open, ticks)),
  }
}

/** The time until every reader has every record. */
function delivery(open: () => Promise<StreamServer>, { ticks, together }: Ticks) {
  return async (): Promise<Run> => {
    const { server, readers } = await opened(open)
    let published = 0
    let before = 0
    return async () => {
      const received = readers.tell({
        kind: 'await',
        events: (published += ticks * together),
      })
      for (let tick = 0; tick < ticks; tick++) {
        await server.publish(together)
        await nextTurn()
      }
      const { events } = await received
      const yielded = events - before
      before = events
      return yielded
    }
  }
}

function onTheWay(id: string, what: string, of: (seen: Seen) => number): Omit<Benchmark, 'goals'> {
  return {
    id,
    what,
    unit: 'event',
    units: 1,
    yields: 'events',
    ...beside((open) => latency(open, of)),
  }
}

/** One event at a time, and the next when all have it. */
function latency(open: () => Promise<StreamServer>, of: (seen: Seen) => number) {
  return async (): Promise<Run> => {
    const { server, readers } = await opened(open)
    let published = 0
    return async () => {
      const costs: number[] = []
      for (let n = 0; n < 20; n++) {
        const received = readers.tell({ kind: 'await', events: ++published })
        await server.publish(1)
        costs.push(of(await received))
      }
      const cost = costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? Number.NaN
      return { cost, yielded: 20 }
    }
  }
}

async function opened(open: () => Promise<StreamServer>) {
  const server = await open()
  const readers = new StreamReaders()
  await readers.tell({ kind: 'open', port: server.port, path: server.live, count: READERS })
  return { server, readers }
}

async function withStored(): Promise<StreamServer> {
  const server = await newThread()
  await server.publish(STORED)
  return server
}

function beside(
  prepare: (open: () => Promise<StreamServer>) => Candidate['prepare'],
): Pick<Benchmark, 'run' | 'limit' | 'peers'> {
  return {
    run: prepare(newThread),
    limit: { name: SHARED_CHUNK, prepare: prepare(sharedChunk) },
    peers: [
      { name: BETTER_SSE, prepare: prepare(betterSse) },
      { name: HONO, prepare: prepare(hono) },
      { name: DURABLE_STREAMS, prepare: prepare(durableStreams) },
    ],
  }
}
