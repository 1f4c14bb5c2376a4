import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import type { PageTurn, Told } from '../../apps/broker/journeys/page-turn.fixture.ts'
import {
  recordsOf,
  request,
  serveBroker,
} from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'

let broker: ServedBroker
let journey: Journey
let first: Told

beforeAll(async () => {
  const before = await serveBroker()
  journey = await Journey.start(before)
  await handOver(journey)
  first = await ask(before, { userMessage: 'Are you a lender?' })
  await before.close()
  broker = await serveBroker({ log: before.log })
})

afterAll(() => broker.close())

function ask(at: ServedBroker, turn: PageTurn, key = 'one') {
  journey.broker = at
  return journey.turn('customer', { ...turn, key })
}

test('[S2] after a restart a key still belongs to the body that it came with', async () => {
  const before = await broker.log.head(journey.sessionId)
  for (const other of [
    { userMessage: 'Something else' },
    { directEvents: [{ type: 'withdraw', data: {} }] },
    { isFirstTurn: true },
    {},
  ] as const) {
    const { status, body } = await ask(broker, other)
    expect([status, body['code']]).toEqual([422, 'key_reused'])
  }
  expect(await broker.log.head(journey.sessionId)).toBe(before)
})

test('[S2] after a restart the same request is answered as before', async () => {
  const before = await broker.log.head(journey.sessionId)
  const again = await ask(broker, { userMessage: 'Are you a lender?' })
  expect([again.body, again.reply]).toEqual([first.body, first.reply])
  expect(await broker.log.head(journey.sessionId)).toBe(before)
  expect((await ask(broker, { userMessage: 'Something else' }, 'two')).end).toBe('finished')
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
