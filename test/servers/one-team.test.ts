import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noPostgres, postgresServer } from '../../src/storage/postgres/postgres-server.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'

const postgres = postgresServer()
const SECRET = 'a secret that both servers of the test share'
/** A lease that is not renewed ends after 10 s. */
const TAKEN_OVER_WITHIN_MS = 30_000

let one: ServerProcess
let other: ServerProcess

beforeEach(async () => {
  if (noPostgres) return
  const STORE = await postgres.emptiedDatabase()
  const start = () => startServer({ STORE, SECRET, DATA_DIR: newFolder(), SCREEN_PORT: '0' })
  one = await start()
  other = await start()
})

afterEach(async () => {
  if (noPostgres) return
  await Promise.all([one, other].map((server) => server.end('SIGKILL')))
})

interface Stored {
  readonly id: string
  readonly type: string
  readonly data: {
    readonly answers?: readonly string[]
    readonly reason?: string
    readonly request?: string
    readonly digest?: string
  }
}

async function records({ url }: ServerProcess): Promise<readonly Stored[]> {
  const answer = await fetch(`${url}/api/threads/team/events?limit=10000`)
  return ((await answer.json()) as { records?: readonly Stored[] }).records ?? []
}

async function post({ url }: ServerProcess, path: string, body: object = {}) {
  const answer = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as { eventId?: number } }
}

const typed = async (server: ServerProcess, type: string) =>
  (await records(server)).filter((record) => record.type === type)

/** How often each message was answered. */
async function answersTo(server: ServerProcess, type = 'user_message'): Promise<readonly number[]> {
  const all = await records(server)
  const answers = all.flatMap(({ data }) => data.answers ?? [])
  return all
    .filter((each) => each.type === type)
    .map(({ id }) => answers.filter((a) => a === id).length)
}

const isActive = async ({ url }: ServerProcess) =>
  ((await (await fetch(`${url}/api/health`)).json()) as { sessionActive: boolean }).sessionActive

test.skipIf(noPostgres)(
  '[S17] two servers run one session, whichever of them is asked, and each message is answered once',
  async ({ annotate }) => {
    expect((await post(other, '/session/start')).status).toBe(200)
    expect((await post(one, '/session/start')).status).toBe(409)
    for (const server of [one, other, one, other, one, other]) {
      expect((await post(server, '/send', { message: 'hello' })).status).toBe(202)
    }
    await expect.poll(() => answersTo(one), { timeout: 20_000 }).toEqual([1, 1, 1, 1, 1, 1, 1])
    expect(await typed(one, 'session_start')).toHaveLength(1)
    expect(await typed(one, 'session_end')).toEqual([])
    expect(await Promise.all([one, other].map(isActive))).toEqual([true, true])

    expect((await post(one, '/send', { message: 'delete the plan' })).status).toBe(202)
    await expect.poll(() => typed(other, 'permission_asked'), { timeout: 20_000 }).toHaveLength(1)
    const [asked] = await typed(other, 'permission_asked')
    const { request = '', digest = '' } = asked?.data ?? {}
    const no = { request, digest, approved: false }
    // One of them does not hold the session.
    const given = await Promise.all([one, other].map((server) => post(server, '/permissions', no)))
    expect(given.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await expect.poll(async () => (await answersTo(one)).at(-1), { timeout: 20_000 }).toBe(1)

    expect((await post(one, '/session/end')).status).toBe(200)
    await expect.poll(() => Promise.all([one, other].map(isActive))).toEqual([false, false])
    expect((await post(other, '/session/start')).status).toBe(200)
    expect((await post(other, '/session/end')).status).toBe(200)
    const reasons = (await typed(one, 'session_end')).map(({ data }) => data.reason)
    expect(reasons).toEqual(['user_ended', 'user_ended'])
    await annotate(
      'two servers, one program: 9 messages answered once, 0 answered twice',
      'promise',
    )
  },
)

test.skipIf(noPostgres)(
  '[S17] the session of a server that was killed goes on at the other one',
  async () => {
    expect((await post(one, '/session/start')).status).toBe(200)
    await expect.poll(() => answersTo(other), { timeout: 20_000 }).toEqual([1])
    expect((await post(other, '/send', { message: 'one more' })).status).toBe(202)
    await one.end('SIGKILL')
    for (const message of ['hello', 'and again']) {
      expect((await post(other, '/send', { message })).status).toBe(202)
    }
    await expect
      .poll(() => answersTo(other), { timeout: TAKEN_OVER_WITHIN_MS })
      .toEqual([1, 1, 1, 1])
    const starts = await typed(other, 'session_start')
    expect(starts).toHaveLength(2)
  },
)

fullTest.skipIf(noPostgres)(
  '[D15] while the database is away for 3 s the team’s servers live, and all it said is on record',
  async () => {
    expect((await post(one, '/session/start')).status).toBe(200)
    await expect.poll(() => answersTo(other), { timeout: 20_000 }).toEqual([1])
    expect((await post(one, '/send', { message: 'hello' })).status).toBe(202)
    await postgres.stop('immediate')
    const away = await post(other, '/send', { message: 'while away' })
    expect(away).toMatchObject({ status: 503 })
    await setTimeout(3_000)
    await postgres.start()
    await expect.poll(() => answersTo(other).catch(() => []), { timeout: 20_000 }).toEqual([1, 1])
    expect((await post(one, '/send', { message: 'afterwards' })).status).toBe(202)
    await expect.poll(async () => (await answersTo(other)).at(-1), { timeout: 20_000 }).toBe(1)
  },
)
