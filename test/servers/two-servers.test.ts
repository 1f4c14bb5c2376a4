import { afterAll, beforeAll, expect, test } from 'vitest'
import { noPostgres, postgresServer } from '../../src/storage/postgres/postgres-server.fixture.ts'
import {
  CUSTOMER_STEPS,
  Journey,
  REFERENCE_SENTENCE,
} from '../../apps/broker/journeys/journey.fixture.ts'
import { ConfigurationError } from '../../apps/configuration-error.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { newFolder } from '../folders.fixture.ts'
import { startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'

const postgres = postgresServer()
const SECRET = 'a secret that both servers of the test share'

let one: ServerProcess
let other: ServerProcess

beforeAll(async () => {
  if (noPostgres) return
  const STORE = await postgres.newDatabase()
  const start = () => startServer({ STORE, SECRET, DATA_DIR: newFolder() })
  ;[one, other] = await Promise.all([start(), start()])
})

afterAll(async () => {
  if (noPostgres) return
  await Promise.all([one, other].map((server) => server.end('SIGTERM')))
})

/** Returns the broker at a server's address, which is all that a journey over HTTP needs. */
const at = ({ url }: ServerProcess) => ({ url }) as Journey['broker']

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
    const journey = await Journey.start(at(one))
    spread(journey, [one.url, other.url])
    await journey.say('installer', REFERENCE_SENTENCE)
    for (const step of CUSTOMER_STEPS) expect((await step(journey)).end).toBe('finished')
    const state = await journey.state()
    journey.broker = at(other)
    expect(await journey.state()).toEqual(state)
    const verify = await fetch(`${other.url}/api/threads/${journey.sessionId}/verify`, {
      headers: { authorization: `Bearer ${journey.tokens.auditor}` },
    })
    expect(await verify.json()).toMatchObject({ ok: true, unanchored: 0 })
  },
)

test.skipIf(noPostgres)('[S13] one key at two servers at once runs the turn once', async () => {
  const journey = await Journey.start(at(one))
  const send = ({ url }: ServerProcess, input: string) =>
    fetch(`${url}/api/threads/${journey.sessionId}/runs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${journey.tokens.installer}`,
        'content-type': 'application/json',
        'idempotency-key': 'one-key',
      },
      body: JSON.stringify({ agent: 'installer', input }),
    })
  const answers = await Promise.all(
    [one, other, one, other].map((server) => send(server, REFERENCE_SENTENCE)),
  )
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  const runs = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(runs).size).toBe(1)
  expect((await send(other, 'Something else')).status).toBe(422)
  const count = async (wanted: string) => {
    const events = await fetch(`${other.url}/api/threads/${journey.sessionId}/events`, {
      headers: { authorization: `Bearer ${journey.tokens.auditor}` },
    })
    const { records } = (await events.json()) as { records: readonly { type: string }[] }
    return records.filter(({ type }) => type === wanted).length
  }
  await expect.poll(() => count('RUN_FINISHED')).toBe(1)
  expect(await count('RUN_STARTED')).toBe(1)
})

test('[X14] a server on Postgres without SECRET refuses to start and names it', async () => {
  const reading = readConfiguration({ STORE: 'postgres://host/db', DATA_DIR: newFolder() })
  await expect(reading).rejects.toThrow(ConfigurationError)
  await expect(reading).rejects.toThrow(/^SECRET is not set/)
})

// It kills a server that the other tests need, so it is the last.
test.skipIf(noPostgres)(
  '[M7] the run of a server that was killed ends once, by the server that lives',
  async () => {
    const journey = await Journey.start(at(one))
    const asked = journey.say('installer', REFERENCE_SENTENCE).catch(() => undefined)
    const typesOf = async () => {
      const events = await fetch(`${other.url}/api/threads/${journey.sessionId}/events`, {
        headers: { authorization: `Bearer ${journey.tokens.auditor}` },
      })
      const { records } = (await events.json()) as { records: readonly { type: string }[] }
      return records.map(({ type }) => type)
    }
    await expect.poll(typesOf, { interval: 20 }).toContain('TEXT_MESSAGE_CONTENT')
    await one.end('SIGKILL')
    await asked
    const isEnd = (type: string) => type === 'RUN_ERROR' || type === 'RUN_FINISHED'
    await expect.poll(async () => (await typesOf()).filter(isEnd)).toEqual(['RUN_ERROR'])
    journey.broker = at(other)
    expect((await journey.say('installer', REFERENCE_SENTENCE)).end).toBe('finished')
  },
)
