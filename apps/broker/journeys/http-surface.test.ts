import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey, handOver } from './journey.fixture.ts'
import { request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

let broker: ServedBroker
let journey: Journey
let other: Journey

beforeAll(async () => {
  broker = await serveBroker()
  journey = await Journey.start(broker)
  other = await Journey.start(broker)
  await handOver(journey)
  await journey.turn('customer', { isFirstTurn: true })
})

afterAll(() => broker.close())

const threadUrl = (path: string) => `${broker.url}/api/threads/${journey.sessionId}/${path}`
const run = (more: object, options: { token?: string; headers?: Record<string, string> } = {}) =>
  request(threadUrl('runs'), {
    token: journey.tokens.customer,
    body: { agent: 'customer', events: [], ...more },
    ...options,
  })

test('the installer reads the customer’s link again and nothing is recorded of it', async () => {
  const url = `${broker.url}/api/session/${journey.sessionId}/customer-link`
  const head = await broker.log.head(journey.sessionId)
  const { status, body } = await request(url, { token: journey.tokens.installer })
  expect([status, body]).toEqual([
    200,
    { customerLink: expect.stringMatching(`^/customer/${journey.sessionId}#token=.`) },
  ])
  expect(await broker.log.head(journey.sessionId)).toBe(head)
  const early = `${broker.url}/api/session/${other.sessionId}/customer-link`
  expect((await request(early, { token: other.tokens.installer })).status).toBe(404)
})

test('an answered problem says what, why and the mend, with a stable code', async () => {
  const { status, body } = await run({ surprise: true })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    type: 'urn:throughline:problem:invalid_body',
    code: 'invalid_body',
    status: 400,
    error: body['detail'],
  })
  expect(String(body['detail'])).toContain('surprise')
})

test('[B052] [B053] the answer carries a seed that is opaque to its reader', async () => {
  expect(journey.seed).toMatch(/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(Buffer.from(journey.seed ?? '', 'base64url').toString()).not.toContain('Sarah')
})

test('[B005] the installer sees exactly its keys, on every way in', async () => {
  const keys = [
    'contact',
    'createdAt',
    'installerHandoffComplete',
    'project',
    'retailerName',
    'sessionId',
    'status',
    'updatedAt',
  ]
  const token = journey.tokens.installer
  const state = (await request(threadUrl('state'), { token })).body['state']
  const session = await request(`${broker.url}/api/session/${journey.sessionId}`, { token })
  const answered = await journey.turn('installer', {})
  for (const seen of [state, session.body['case'], answered.session['case']]) {
    expect(Object.keys(seen as object).toSorted()).toEqual(keys)
  }
  expect(session.body).not.toHaveProperty('customerMessages')
})

test('[S2] [E11] a request is on record as a digest, which neither side sees', async () => {
  await journey.turn('customer', { key: 'one', userMessage: 'Are you a lender?' })
  const records = await recordsOf(broker.log, journey.sessionId)
  const starts = records.filter(({ data }) => JSON.stringify(data).includes('"request"'))
  expect(starts.length).toBeGreaterThan(0)
  for (const { data } of starts) {
    expect(data).toMatchObject({ metadata: { request: expect.stringMatching(/^[\da-f]{64}$/) } })
  }
  const { body } = await request(threadUrl('events?limit=10000'), {
    token: journey.tokens.customer,
  })
  expect(JSON.stringify(body)).not.toContain('metadata')
})
