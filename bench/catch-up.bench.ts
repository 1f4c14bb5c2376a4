import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from 'throughline/log'
import type { Benchmark, Candidate, Run } from './benchmark.ts'
import { costAtMost, faster, shareOf, sizeAtMost, yieldsAll } from './goals.ts'
import { residentKb, resetPeak } from './resident-memory.ts'
import { StreamReaders } from './stream-readers.ts'
import { betterSse, durableStreams, hono, memoryLog, ours, sharedChunk } from './stream-servers.ts'
import type { StreamServer } from './stream-servers.ts'

const EVENTS = 100_000
const STORED_AT_ONCE = 150
const CLIENTS = 10
const STALLED = 10
/** As much as is more than what the kernel holds for a connection. */
const UNREAD_EVENTS = 20_000

const FRAMES = 'frames in memory'
const BETTER_SSE = 'better-sse'
const HONO = 'hono'
const DURABLE_STREAMS = 'Durable Streams'

const PEERS = [
  { name: BETTER_SSE, open: betterSse },
  { name: HONO, open: hono },
  { name: DURABLE_STREAMS, open: durableStreams },
] as const

export const catchUp: readonly Benchmark[] = [
  {
    ...whole('W5', '100,000 events from SQLite to one reader', onDisk),
    goals: [yieldsAll(EVENTS), shareOf(FRAMES, 0.4), faster(DURABLE_STREAMS, 2)],
  },
  {
    ...whole('W5 memory log', 'the same from memory', inMemory),
    goals: [yieldsAll(EVENTS), shareOf(FRAMES, 0.8), faster(DURABLE_STREAMS, 4)],
  },
  {
    id: 'W5 first',
    what: 'the same, until the first event is there',
    unit: 'reader',
    units: 1,
    yields: 'events',
    run: firstEvent(onDisk),
    peers: peers(firstEvent),
    goals: [costAtMost(15e6)],
  },
  {
    id: 'W5 resident',
    what: `the same to ${CLIENTS} readers at once, by how much the process grows`,
    unit: 'run',
    units: 1,
    yields: 'events',
    costs: 'KB',
    run: growth(onDisk),
    peers: [],
    goals: [yieldsAll(EVENTS * CLIENTS), sizeAtMost(100_000)],
  },
  {
    id: 'W8',
    what: `a reader that leaves ${UNREAD_EVENTS.toLocaleString('en')} events unread`,
    unit: 'reader',
    units: STALLED,
    yields: 'events read on return',
    costs: 'KB',
    run: stalled(inMemory),
    peers: peers(stalled),
    goals: [yieldsAll(UNREAD_EVENTS), sizeAtMost(64)],
  },
]

function whole(
  id: string,
  what: string,
  open: () => Promise<StreamServer>,
): Omit<Benchmark, 'goals'> {
  return {
    id,
    what,
    unit: 'event',
    units: EVENTS,
    yields: 'events',
    run: reading(open),
    limit: { name: FRAMES, prepare: reading(sharedChunk) },
    peers: peers(reading),
  }
}

function peers(
  prepare: (open: () => Promise<StreamServer>) => Candidate['prepare'],
): readonly Candidate[] {
  return PEERS.map(({ name, open }) => ({ name, prepare: prepare(open) }))
}

function inMemory(): Promise<StreamServer> {
  return ours(memoryLog())
}

async function onDisk(): Promise<StreamServer> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  return ours(await openLog(`sqlite:${join(folder, 'log.db')}`))
}

function reading(open: () => Promise<StreamServer>) {
  return async (): Promise<Run> => {
    const { server, readers } = await filled(open)
    return async () => (await readWhole(server, readers, 1)).events
  }
}

function firstEvent(open: () => Promise<StreamServer>) {
  return async (): Promise<Run> => {
    const { server, readers } = await filled(open)
    return async () => {
      const { events, first } = await readWhole(server, readers, 1)
      return { cost: first, yielded: events }
    }
  }
}

function growth(open: () => Promise<StreamServer>) {
  return async (): Promise<Run> => {
    const { server, readers } = await filled(open)
    globalThis.gc?.()
    const before = residentKb('VmRSS')
    return async () => {
      resetPeak()
      const { events } = await readWhole(server, readers, CLIENTS)
      return { cost: residentKb('VmHWM') - before, yielded: events }
    }
  }
}

/** What goes when the readers go was held for them; one more of them stays and reads on. */
function stalled(open: () => Promise<StreamServer>) {
  return async (): Promise<Run> => {
    const server = await open()
    const [leaving, returning] = [new StreamReaders(), new StreamReaders()]
    const { port, live: path } = server
    return async () => {
      await leaving.tell({ kind: 'open', port, path, count: STALLED })
      await returning.tell({ kind: 'open', port, path, count: 1 })
      await leaving.tell({ kind: 'pause' })
      await returning.tell({ kind: 'pause' })
      await publish(server, UNREAD_EVENTS)
      const held = await heldKb()
      await leaving.tell({ kind: 'close' })
      const cost = held - (await heldKb())
      const { events } = await returning.tell({ kind: 'resume', events: UNREAD_EVENTS })
      await returning.tell({ kind: 'close' })
      return { cost, yielded: events }
    }
  }
}

async function filled(open: () => Promise<StreamServer>) {
  const server = await open()
  await publish(server, EVENTS)
  return { server, readers: new StreamReaders() }
}

async function publish(server: StreamServer, events: number): Promise<void> {
  for (let left = events; left > 0; left -= STORED_AT_ONCE) {
    await server.publish(Math.min(left, STORED_AT_ONCE))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function readWhole(server: StreamServer, readers: StreamReaders, count: number) {
  await readers.tell({ kind: 'open', port: server.port, path: server.whole, count })
  const seen = await readers.tell({ kind: 'await', events: EVENTS })
  await readers.tell({ kind: 'close' })
  return seen
}

async function heldKb(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 300))
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_024
}
