import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { subscribe } from 'throughline/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { emptyFolder, startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { PlainReader } from './plain-reader.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const CLIENTS = timesInTier({ quick: 5, full: 500 })
/** Beside them, readers that any answer but a 200 ends for good. */
const PLAIN = timesInTier({ quick: 3, full: 50 })
/** The promise: this long after the restart everybody is back. */
const RESUMED_MAX_MS = 15_000
const EVENTS = timesInTier({ quick: 5, full: 100 })

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return String(port)
}

/** Follows a thread and keeps the order in which positions came. */
class Follower {
  readonly seqs: number[] = []
  refused = ''
  /** How often it was live. */
  live = 0
  readonly #stop: () => void

  constructor(url: string, token: string) {
    const headers = () => ({ authorization: `Bearer ${token}` })
    const updates = subscribe({ url, headers })
    this.#stop = () => void updates.return?.()
    void this.#read(updates)
  }

  stop(): void {
    this.#stop()
  }

  async #read(updates: ReturnType<typeof subscribe>): Promise<void> {
    for await (const update of updates) {
      if (update.type === 'record') this.seqs.push(update.record.seq)
      else if (update.type === 'cursor') this.seqs.push(update.seq)
      else if (update.type === 'reset') this.refused = 'reset'
      else if (update.status === 'live') this.live++
      else if (update.status === 'refused') this.refused = update.error.message
    }
  }
}

interface World {
  server: ServerProcess
  readonly env: Readonly<Record<string, string>>
  readonly path: string
  readonly tokens: Readonly<Record<'installer' | 'customer', string>>
  /** The ids of what the server said is on record. */
  readonly acknowledged: string[]
}

async function newWorld(): Promise<World> {
  const env = {
    DATA_DIR: await emptyFolder(),
    PORT: await freePort(),
    SECRET: 'of this test'.repeat(3),
    // All readers have one token.
    STREAMS_PER_TOKEN: '1000',
  }
  const server = await startServer(env)
  const { body } = await request(`${server.url}/api/session`, { body: {} })
  const path = `/api/threads/${String(body['sessionId'])}`
  const world = { server, env, path, tokens: body['tokens'] as never, acknowledged: [] }
  onTestFinished(async () => void (await world.server.end('SIGKILL')))
  return world
}

/** Proposes events one after the other until it is stopped; a server that is away is asked again. */
function write(world: World): { stop(): Promise<void> } {
  let on = true
  const writing = (async () => {
    while (on) {
      const events = [{ type: 'record_project_facts', data: { projectValue: 10_000 } }]
      const url = `${world.server.url}${world.path}/events`
      const answer = await request(url, { token: world.tokens.installer, body: { events } }).catch(
        () => undefined,
      )
      const records = answer?.status === 200 ? (answer.body['records'] as unknown as Stored[]) : []
      world.acknowledged.push(...records.map(({ id }) => id))
      await new Promise((resolve) => setTimeout(resolve, answer ? 10 : 100))
    }
  })()
  return {
    async stop() {
      on = false
      await writing
    },
  }
}

interface Stored {
  readonly seq: number
  readonly id: string
}

async function stored(world: World): Promise<Stored[]> {
  const url = `${world.server.url}${world.path}/export`
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${world.tokens.installer}` },
  })
  const lines = (await response.text()).trim().split('\n')
  expect(JSON.parse(lines.pop() ?? '')).toEqual({ complete: true, records: lines.length })
  return lines.map((line) => JSON.parse(line) as Stored)
}

async function headOf(world: World): Promise<number> {
  const url = `${world.server.url}${world.path}/events?after=999999999`
  const { body } = await request(url, { token: world.tokens.installer })
  return Number(body['head'])
}

test('[E6] restarts, told or killed, cost no reader a record, and no stream is ever refused', async ({
  annotate,
}) => {
  const world = await newWorld()
  const writer = write(world)
  const url = `${world.server.url}${world.path}/events`
  const clients = Array.from({ length: CLIENTS }, () => new Follower(url, world.tokens.customer))
  const plain = Array.from({ length: PLAIN }, () => plainReader(url, world.tokens.customer))
  onTestFinished(() => {
    for (const reader of [...clients, ...plain]) reader.stop()
  })
  const liveFor = (times: number) => clients.filter(({ live }) => live >= times).length
  const flow = async () => {
    const before = world.acknowledged.length
    const more = () => world.acknowledged.length - before
    await expect.poll(more, { timeout: 30_000 }).toBeGreaterThan(EVENTS)
  }
  await expect.poll(() => liveFor(1), { timeout: 30_000 }).toBe(CLIENTS)
  await flow()
  const resumed: string[] = []
  for (const [restart, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
    await world.server.end(signal)
    world.server = await startServer(world.env)
    const since = performance.now()
    const back = () => liveFor(restart + 2)
    await expect.poll(back, { timeout: RESUMED_MAX_MS, interval: 50 }).toBe(CLIENTS)
    const ms = Math.ceil(performance.now() - since)
    resumed.push(`${back()} of ${CLIENTS} clients back ${ms} ms after a restart by ${signal}`)
    await flow()
  }
  await writer.stop()

  const head = await headOf(world)
  const readers = [...clients, ...plain]
  const slowest = () => Math.min(...readers.map(({ seqs }) => seqs.at(-1) ?? -1))
  await expect.poll(slowest, { timeout: RESUMED_MAX_MS }).toBe(head)
  const whole = Array.from({ length: head + 1 }, (_, seq) => seq)
  for (const { seqs } of readers) expect(seqs).toEqual(whole)
  expect(clients.map(({ refused }) => refused).filter((why) => why !== '')).toEqual([])
  const refused = plain.filter(({ ended }) => ended() !== 'reading').length
  expect(refused).toBe(0)
  const ids = new Set((await stored(world)).map(({ id }) => id))
  expect(world.acknowledged.filter((id) => !ids.has(id))).toEqual([])
  const missed = readers.reduce((sum, { seqs }) => sum + head + 1 - seqs.length, 0)
  const told = `${missed} of ${head + 1} events missed, ${refused} of ${PLAIN} plain readers refused`
  await annotate([...resumed, told].join('; '), 'promise')
})

function plainReader(url: string, token: string) {
  const seqs: number[] = []
  let ended: 'reading' | 'closed' | number = 'reading'
  const reader = new PlainReader({
    url,
    token,
    retryMs: 500,
    take({ event, lastEventId }) {
      if (event === 'message') seqs.push(Number(lastEventId))
    },
  })
  void reader.read().then((how) => (ended = how))
  return { seqs, ended: () => ended, stop: () => reader.close() }
}
