import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment, emptyFolder, startServer } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { straceWorks } from './syscalls.fixture.ts'

const STORE_FAILED = 74
/** Every run shares its machine with other tests. */
const EXIT_MAX_MS = timesInTier({ quick: 20_000, full: 1_000 })
const RESUME_MAX_MS = timesInTier({ quick: 30_000, full: 5_000 })
/** More turns, or threads, than it takes until the disk fails, or works again. */
const TURNS_MAX = 200

/** The server on a disk that fails: `failure` says when, in the words of strace, for each thread. */
async function startOn(failure: string, DATA_DIR: string) {
  const [name = ''] = failure.split(':')
  const strace = [
    '-f',
    '--seccomp-bpf',
    '-o',
    '/dev/null',
    `-etrace=${name}`,
    `-einject=${failure}`,
  ]
  const server = [process.execPath, ...programArguments('server')]
  const env = { ...bareEnvironment(), PORT: '0', LOG_LEVEL: 'silent', DATA_DIR }
  const child = spawn('strace', [...strace, ...server], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It ends as the server ends.
  const ended = once(child, 'exit').then(([code]) => ({
    code: Number(code),
    at: performance.now(),
  }))
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const url = /throughline ready (\S+)/.exec(output)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
    // Kills the program itself: it would survive the end of strace.
    onTestFinished(() => kill(Number(pid)))
    return { url, ended }
  }
  throw new Error(`Cannot start the server: ${output}`)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

/** A journey over HTTP needs the address only. */
function startJourney(url: string): Promise<Journey> {
  return Journey.start({ url } as ServedBroker)
}

async function stored(url: string, journey: Journey) {
  const token = journey.tokens.auditor
  const threads = `${url}/api/threads/${journey.sessionId}`
  const read = await request(`${threads}/events?limit=10000`, { token })
  const verified = await request(`${threads}/verify`, { token })
  return { records: read.body['records'] as unknown as unknown[], verified: verified.body }
}

/** Takes turns until one ends so; resolves with its answer, and the records before it. */
async function turnsUntil(is: (status: number) => boolean, url: string, journey: Journey) {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const before = await stored(url, journey)
    // A client that is cut off learns of it as well.
    const answer = await journey
      .turn('installer', { userMessage: 'Hello' })
      .catch(() => ({ status: 503, body: {} }))
    if (is(answer.status)) return { answer, before: before.records, at: performance.now() }
  }
  throw new Error(`Cannot make the disk fail as it should: ${TURNS_MAX} turns ended otherwise`)
}

/** Opens threads until it ends so; resolves with the answer. */
async function startsUntil(is: (status: number) => boolean, url: string) {
  for (let start = 0; start < TURNS_MAX; start++) {
    const answer = await request(`${url}/api/session`, { body: { demoScenario: 'clean' } })
    if (is(answer.status)) return { answer, at: performance.now() }
  }
  throw new Error(`Cannot make the disk fail as it should: ${TURNS_MAX} threads opened otherwise`)
}

for (const failure of ['fsync:error=EIO:when=60+', 'pwrite64:error=EIO:when=400+']) {
  test.runIf(straceWorks())(
    `[D4] after ${failure} the client gets an error and the process ends with the code for it`,
    async ({ annotate }) => {
      const DATA_DIR = await emptyFolder()
      const server = await startOn(failure, DATA_DIR)
      const journey = await startJourney(server.url)
      const failed = await turnsUntil((status) => status !== 202, server.url, journey)
      expect(failed.answer.status).toBe(503)
      const { code, at } = await server.ended
      expect(code).toBe(STORE_FAILED)
      expect(at - failed.at).toBeLessThan(EXIT_MAX_MS)
      const again = await startServer({ DATA_DIR })
      const after = await stored(again.url, journey)
      const kept = after.records.slice(0, failed.before.length)
      expect(kept).toEqual(failed.before)
      expect(after.verified).toMatchObject({ ok: true })
      await again.end('SIGKILL')
      const ended = `answered ${failed.answer.status}, ended with ${code} after ${Math.round(at - failed.at)} ms`
      const lost = failed.before.length - kept.length
      const what = `${ended}; ${lost} of ${failed.before.length} records lost`
      await annotate(`${failure.slice(0, failure.indexOf('='))}: ${what}`, 'promise')
    },
    60_000,
  )
}

test.runIf(straceWorks())(
  '[D3] a server whose disk is full refuses, goes on reading, and goes on writing with the space',
  async ({ annotate }) => {
    const server = await startOn('pwrite64:error=ENOSPC:when=400..420', await emptyFolder())
    const journey = await startJourney(server.url)
    await journey.turn('installer', { userMessage: 'Hello' })
    const before = await stored(server.url, journey)
    // The append that opens a thread is refused at once; those of a turn under way wait for the space.
    const full = await startsUntil((status) => status !== 201, server.url)
    expect(full.answer).toMatchObject({ status: 507, body: { code: 'storage_full' } })
    const refused = await journey.turn('installer', { userMessage: 'Hello again' })
    expect(refused).toMatchObject({ status: 507, body: { code: 'storage_full' } })
    const during = await stored(server.url, journey)
    expect(during.records).toEqual(before.records)
    const resumed = await startsUntil((status) => status === 201, server.url)
    expect(await journey.turn('installer', { userMessage: 'Hello again' })).toMatchObject({
      end: 'finished',
    })
    const after = await stored(server.url, journey)
    expect(after.records.slice(0, during.records.length)).toEqual(during.records)
    expect(after.verified).toMatchObject({ ok: true })
    const resumedMs = Math.round(resumed.at - full.at)
    expect(resumedMs).toBeLessThan(RESUME_MAX_MS)
    const kept = `${during.records.length} records kept and read meanwhile`
    const again = `appends again ${resumedMs} ms after the first was refused`
    await annotate(`${full.answer.status} storage_full, ${kept}, ${again}`, 'promise')
  },
  60_000,
)
