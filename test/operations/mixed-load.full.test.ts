import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../server-process.fixture.ts'
import { Visitor } from './mixed-load.fixture.ts'

const MINUTES = Number(process.env['LOAD_MINUTES'] ?? 10)
const SAMPLE_EVERY_MS = 10_000
const VISITORS = 6
/** Each visitor begins one case in so long: the load is the same on every machine. */
const VISIT_MS = 2_000
/** More threads than a gate remembers. */
const WARM_UP_VISITS = 600
/** Files that the log's own thread has open once the disk is slow enough for it to have one. */
const THREAD_FILES_MAX = 8
/** Connections that are kept alive are closed after five seconds of silence. */
const REST_MS = 8_000

const PROGRAM = fileURLToPath(new URL('./serve-and-measure.ts', import.meta.url))

interface Sample {
  readonly heap: number
  readonly rss: number
  readonly files: number
  readonly wal: number
}

type Measured = Awaited<ReturnType<typeof startMeasured>>

async function startMeasured() {
  const child = spawn(
    process.execPath,
    ['--conditions=throughline-source', '--expose-gc', PROGRAM],
    {
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: await emptyFolder() },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  const url = await next()
  return {
    url,
    async sample() {
      child.stdin.write('\n')
      return JSON.parse(await next()) as Sample
    },
    async end() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** Bytes a minute, by least squares. */
function slopeOf(heaps: readonly number[]): number {
  const minutes = heaps.map((_, at) => (at * SAMPLE_EVERY_MS) / 60_000)
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(minutes), mean(heaps)]
  const rise = heaps.map((heap, at) => ((minutes[at] ?? 0) - x) * (heap - y))
  const run = minutes.map((minute) => (minute - x) ** 2)
  return mean(rise) / mean(run)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Fills the bounded caches as fast as possible: that growth is not a leak. */
async function warmUp(server: Measured): Promise<Visitor[]> {
  let visits = 0
  const visitors = visitorsOf(server)
  const visiting = visitors.map(async (visitor) => {
    while (visits++ < WARM_UP_VISITS) await visitor.visit()
  })
  await Promise.all(visiting)
  await pause(REST_MS)
  return visitors
}

/** Loads the server for so long, and measures it as it goes. */
async function load(server: Measured, minutes: number) {
  const visitors = visitorsOf(server)
  const until = performance.now() + minutes * 60_000
  const visiting = visitors.map(async (visitor) => {
    while (performance.now() < until) await Promise.all([visitor.visit(), pause(VISIT_MS)])
  })
  const samples: Sample[] = []
  while (performance.now() < until) {
    await pause(SAMPLE_EVERY_MS)
    samples.push(await server.sample())
  }
  await Promise.all(visiting)
  await pause(REST_MS)
  return { visitors, samples }
}

function visitorsOf({ url }: Measured): Visitor[] {
  return Array.from({ length: VISITORS }, () => new Visitor(url))
}

test(
  `[L8] ${MINUTES} minutes of mixed load: heap, files and write-ahead log stay where they are`,
  async ({ annotate }) => {
    const server = await startMeasured()
    const early = await warmUp(server)
    const before = await server.sample()
    const { visitors, samples } = await load(server, MINUTES)
    const after = await server.sample()
    await server.end()
    const slope = slopeOf(samples.map(({ heap }) => heap)) / 2 ** 20
    const wal = Math.max(...[before, ...samples].map((sample) => sample.wal)) / 2 ** 20
    const visited = [...early, ...visitors]
    const requests = visited.reduce((sum, visitor) => sum + visitor.requests, 0)
    await annotate(
      `heap slope ${slope.toFixed(2)} MB/min, files ${before.files} at rest before and ${after.files} after, write-ahead log at most ${wal.toFixed(1)} MB over ${MINUTES} minutes and ${requests} requests`,
      'promise',
    )
    expect(visited.flatMap(({ failures }) => failures)).toEqual([])
    expect(after.files).toBeLessThanOrEqual(before.files + THREAD_FILES_MAX)
    expect(wal).toBeLessThanOrEqual(64)
    expect(slope, JSON.stringify(samples.map(({ heap }) => heap))).toBeLessThanOrEqual(1)
  },
  MINUTES * 60_000 + 900_000,
)
