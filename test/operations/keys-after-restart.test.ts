import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import {
  recordsOf,
  request,
  serveBroker,
} from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'

let broker: ServedBroker
let journey: Journey

beforeAll(async () => {
  const before = await serveBroker()
  journey = await Journey.start(before)
  await handOver(journey)
  await ask(before, { userMessage: 'Are you a lender?' })
  await before.close()
  broker = await serveBroker({ log: before.log })
})

afterAll(() => broker.close())

function ask({ url }: ServedBroker, more: object, key = 'one') {
  const { sessionId, tokens } = journey
  return request(`${url}/api/chat/customer`, {
    token: tokens.customer,
    headers: { 'idempotency-key': key },
    body: { sessionId, ...more },
  })
}

test('[S2] after a restart a key still belongs to the body that it came with', async () => {
  const before = await broker.log.head(journey.sessionId)
  for (const other of [
    { userMessage: 'Something else' },
    { directEvents: [{ type: 'withdraw', data: {} }] },
    {},
  ]) {
    const { status, body } = await ask(broker, other)
    expect([status, body['code']]).toEqual([422, 'key_reused'])
  }
  expect(await broker.log.head(journey.sessionId)).toBe(before)
})

test('[S2] after a restart the same request is answered as before, with whatever seed it comes', async () => {
  const before = await broker.log.head(journey.sessionId)
  const again = await ask(broker, { userMessage: 'Are you a lender?', seed: 'a newer one' })
  expect(again.status).toBe(200)
  expect(again.body['assistantMessage']).toContain('lender')
  expect(await broker.log.head(journey.sessionId)).toBe(before)
  expect((await ask(broker, { userMessage: 'Something else' }, 'two')).status).toBe(200)
})

test('[S2] [E11] a request is on record as a digest, which neither side sees', async () => {
  const records = await recordsOf(broker.log, journey.sessionId)
  const starts = records.filter(({ data }) => JSON.stringify(data).includes('"request"'))
  expect(starts.length).toBeGreaterThan(0)
  for (const { data } of starts) {
    expect(data).toMatchObject({ metadata: { request: expect.stringMatching(/^[\da-f]{64}$/) } })
  }
  const url = `${broker.url}/api/threads/${journey.sessionId}/events?limit=10000`
  const { body } = await request(url, { token: journey.tokens.customer })
  expect(JSON.stringify(body)).not.toContain('metadata')
})
