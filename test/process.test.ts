import { expect, test } from 'vitest'
import {
  CUSTOMER_STEPS,
  Journey,
  acceptOffer,
  caseAfter,
} from '../apps/broker/journeys/journey.fixture.ts'
import { chat } from '../apps/broker/journeys/chat-door.fixture.ts'
import { request } from '../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../apps/broker/journeys/served-broker.fixture.ts'
import { readConfiguration } from '../apps/configuration.ts'
import { emptyFolder, failToStart, startServer } from './server-process.fixture.ts'
import type { ServerProcess } from './server-process.fixture.ts'
import { fullTest, timesInTier } from './tier.fixture.ts'

// A journey over HTTP needs the address only; its records are read through the API.
const asBroker = ({ url }: ServerProcess) => ({ url }) as ServedBroker

async function verified(server: ServerProcess, journey: Journey) {
  const token = journey.tokens.auditor
  const { body } = await request(`${server.url}/api/threads/${journey.sessionId}/verify`, { token })
  return body
}

async function records(server: ServerProcess, journey: Journey) {
  const url = `${server.url}/api/threads/${journey.sessionId}/events?limit=10000`
  const { body } = await request(url, { token: journey.tokens.auditor })
  return body['records'] as unknown as { type: string; id: string; data: { code?: string } }[]
}

const startsIn = (all: readonly { readonly type: string }[]) =>
  all.filter(({ type }) => type === 'RUN_STARTED').length

async function runsStarted(server: ServerProcess, journey: Journey) {
  return startsIn(await records(server, journey))
}

/** A server that is killed more often in every run: src/storage/killed-writer.test.ts. */
const STEPS_A_KILL = timesInTier({ quick: 6, full: 1 })

test('[D1] [B051] a server killed between steps and during a turn loses no acknowledged record', async () => {
  const DATA_DIR = await emptyFolder()
  let server = await startServer({ DATA_DIR })
  const journey = await caseAfter(asBroker(server))
  for (const [at, step] of CUSTOMER_STEPS.entries()) {
    if (at % STEPS_A_KILL > 0) {
      await step(journey)
      continue
    }
    const before = await records(server, journey)
    const cut = journey.turn('customer', { userMessage: 'Are you a lender?' }).catch(() => 'cut')
    await expect.poll(() => runsStarted(server, journey)).toBeGreaterThan(startsIn(before))
    await server.end('SIGKILL')
    await cut
    server = await startServer({ DATA_DIR })
    journey.broker = asBroker(server)
    journey.seed = undefined
    const after = await records(server, journey)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(await verified(server, journey)).toMatchObject({ ok: true })
    await step(journey)
  }
  await acceptOffer(journey)
  expect(await journey.state()).toMatchObject({ caseOutcome: { kind: 'selected' } })
  const all = await records(server, journey)
  const count = (type: string) => all.filter((record) => record.type === type).length
  expect(count('RUN_STARTED')).toBe(count('RUN_FINISHED') + count('RUN_ERROR'))
  expect(count('RUN_ERROR')).toBeGreaterThan(0)
  expect(count('waterfall_recorded')).toBe(1)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  await server.end('SIGKILL')
}, 240_000)

test('[L7] SIGTERM during a turn lets the turn end and exits with 0 within 10 s', async () => {
  const server = await startServer({ DATA_DIR: await emptyFolder() })
  const journey = await Journey.start(asBroker(server))
  const stream = await fetch(`${server.url}/api/threads/${journey.sessionId}/events`, {
    headers: {
      authorization: `Bearer ${journey.tokens.customer}`,
      accept: 'text/event-stream',
    },
  })
  const turn = chat(journey, 'installer', { userMessage: 'Hello' })
  await expect.poll(() => runsStarted(server, journey), { interval: 10 }).toBe(1)
  const { code, ms } = await server.end('SIGTERM')
  expect(code).toBe(0)
  expect(ms).toBeLessThan(10_000)
  expect((await turn).status).toBe(200)
  expect(await stream.text()).toContain('event: hello')
})

test('[D11] a second process on the same store or the same port prints one line about it and ends', async () => {
  const DATA_DIR = await emptyFolder()
  const server = await startServer({ DATA_DIR })
  const locked = await failToStart({ DATA_DIR })
  expect(locked.code).toBe(75)
  expect(locked.said.trim().split('\n')).toHaveLength(1)
  const PORT = new URL(server.url).port
  const taken = await failToStart({ DATA_DIR: await emptyFolder(), PORT })
  expect(taken.code).toBe(1)
  expect(taken.said).toMatch(new RegExp(`^[^\\n]*PORT is ${PORT}[^\\n]*\\n$`))
  await server.end('SIGTERM')
})

fullTest('a setting that cannot be used ends the process in one line', async () => {
  const { code, said } = await failToStart({ DATA_DIR: await emptyFolder(), PORT: 'many' })
  expect(code).toBe(1)
  expect(said).toMatch(/^PORT is "many"[^\n]*\n$/)
})

test.each([
  ['PORT', '70000'],
  ['STORE', 'paper'],
  ['MODEL_BASE_URL', 'not an address'],
  ['HOST', '0.0.0.0'],
  ['DATA_DIR', '/dev/null/nowhere'],
])('%s=%s is refused in one line that names it', async (name, value) => {
  const reading = readConfiguration({ DATA_DIR: await emptyFolder(), [name]: value })
  await expect(reading).rejects.toThrow(new RegExp(`^${name} [^\\n]*${value}[^\\n]*$`))
})
