import { expect, onTestFinished, test } from 'vitest'
import { noPostgres, postgresServer } from '../../src/storage/postgres/postgres-server.fixture.ts'
import {
  CUSTOMER_STEPS,
  Journey,
  REFERENCE_SENTENCE,
} from '../../apps/broker/journeys/journey.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { failToStart, startServer } from '../server-process.fixture.ts'

const postgres = postgresServer()
const SECRET = 'a secret that both servers of the test share'

async function serverOn(store: string) {
  const server = await startServer({ STORE: store, SECRET, DATA_DIR: newFolder() })
  onTestFinished(async () => void (await server.end('SIGTERM')))
  return server
}

async function twoServers() {
  const store = await postgres.newDatabase()
  return Promise.all([serverOn(store), serverOn(store)])
}

/** Sends each request of a journey to the other server than the one before it. */
function spread(journey: Journey, urls: readonly string[]): void {
  let requests = 0
  const broker = { ...journey.broker }
  Object.defineProperty(broker, 'url', { get: () => urls[requests++ % urls.length] })
  journey.broker = broker
}

test.skipIf(noPostgres)(
  '[S3] a journey whose requests go to two servers in turn ends as with one',
  async () => {
    const [one, other] = await twoServers()
    const broker = { url: one?.url ?? '' } as Journey['broker']
    const journey = await Journey.start(broker)
    spread(journey, [one?.url ?? '', other?.url ?? ''])
    await journey.say('installer', REFERENCE_SENTENCE)
    for (const step of CUSTOMER_STEPS) expect((await step(journey)).status).toBe(200)
    const state = await journey.state()
    journey.broker = { url: other?.url ?? '' } as Journey['broker']
    expect(await journey.state()).toEqual(state)
    const verify = await fetch(`${other?.url}/api/threads/${journey.sessionId}/verify`, {
      headers: { authorization: `Bearer ${journey.tokens.auditor}` },
    })
    expect(await verify.json()).toMatchObject({ ok: true, unanchored: 0 })
  },
)

test.skipIf(noPostgres)('[S13] one key at two servers at once runs the turn once', async () => {
  const servers = await twoServers()
  const journey = await Journey.start({ url: servers[0]?.url ?? '' } as Journey['broker'])
  const send = (at: number, input: string) =>
    fetch(`${servers[at % 2]?.url}/api/chat/installer`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${journey.tokens.installer}`,
        'content-type': 'application/json',
        'idempotency-key': 'one-key',
      },
      body: JSON.stringify({ sessionId: journey.sessionId, userMessage: input }),
    })
  const answers = await Promise.all([0, 1, 2, 3].map((at) => send(at, REFERENCE_SENTENCE)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await send(1, 'Something else')).status).toBe(422)
  const events = await fetch(`${servers[1]?.url}/api/threads/${journey.sessionId}/events`, {
    headers: { authorization: `Bearer ${journey.tokens.auditor}` },
  })
  const { records } = (await events.json()) as { records: readonly { type: string }[] }
  expect(records.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1)
  expect(records.filter(({ type }) => type === 'RUN_FINISHED')).toHaveLength(1)
})

test('[X14] a server on Postgres without SECRET refuses to start and names it', async () => {
  const { code, said } = await failToStart({ STORE: 'postgres://host/db', DATA_DIR: newFolder() })
  expect(code).toBe(1)
  expect(said).toMatch(/^SECRET is not set/)
})

test.skipIf(noPostgres)(
  '[M7] the run of a server that was killed ends once, by the server that lives',
  async () => {
    const store = await postgres.newDatabase()
    const killed = await startServer({ STORE: store, SECRET, DATA_DIR: newFolder() })
    const other = await serverOn(store)
    const journey = await Journey.start({ url: killed.url } as Journey['broker'])
    const asked = journey.say('installer', REFERENCE_SENTENCE).catch(() => undefined)
    const typesOf = async () => {
      const events = await fetch(`${other.url}/api/threads/${journey.sessionId}/events`, {
        headers: { authorization: `Bearer ${journey.tokens.auditor}` },
      })
      const { records } = (await events.json()) as { records: readonly { type: string }[] }
      return records.map(({ type }) => type)
    }
    await expect.poll(typesOf, { interval: 20 }).toContain('TEXT_MESSAGE_CONTENT')
    await killed.end('SIGKILL')
    await asked
    const isEnd = (type: string) => type === 'RUN_ERROR' || type === 'RUN_FINISHED'
    await expect.poll(async () => (await typesOf()).filter(isEnd)).toEqual(['RUN_ERROR'])
    journey.broker = { url: other.url } as Journey['broker']
    expect((await journey.say('installer', REFERENCE_SENTENCE)).status).toBe(200)
  },
)
