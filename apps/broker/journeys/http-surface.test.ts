import type { LogRecord } from 'throughline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey, handOver } from './journey.fixture.ts'
import { request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'

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

const ROUTES = ['events', 'state', 'verify', 'export', 'events?after=3'] as const

test.each(ROUTES)(
  '[X7] %s: no token and an altered one are 401, a foreign one is 404 as if unknown',
  async (path) => {
    expect((await request(threadUrl(path))).status).toBe(401)
    const foreign = await request(threadUrl(path), { token: other.tokens.customer })
    const unknown = await request(`${broker.url}/api/threads/unknown/${path}`, {
      token: other.tokens.customer,
    })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(unknown.body)
    const altered = `${journey.tokens.customer.slice(0, -3)}abc`
    expect((await request(threadUrl(path), { token: altered })).status).toBe(401)
  },
)

test('[X7] each side’s assistant answers its own role only; audit takes neither', async () => {
  const { sessionId, tokens } = journey
  for (const token of [tokens.installer, tokens.auditor]) {
    expect((await run({}, { token })).status).toBe(403)
  }
  for (const token of [tokens.installer, tokens.customer]) {
    expect((await request(`${broker.url}/api/audit/${sessionId}`, { token })).status).toBe(404)
  }
  const body = { events: [{ type: 'withdraw', data: {} }] }
  expect((await request(threadUrl('events'), { token: tokens.auditor, body })).status).toBe(403)
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
  for (const token of [journey.tokens.customer, journey.tokens.auditor, other.tokens.installer]) {
    expect((await request(url, { token })).status).toBe(404)
  }
  const early = `${broker.url}/api/session/${other.sessionId}/customer-link`
  expect((await request(early, { token: other.tokens.installer })).status).toBe(404)
  expect((await request(url)).status).toBe(401)
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

const nested = `{"agent":"customer","events":${'['.repeat(10_000)}${']'.repeat(10_000)}}`

test.each([
  ['20 KB of nested JSON', nested, 400],
  ['a name given twice', '{"agent":"customer","agent":"b"}', 400],
  ['__proto__', '{"agent":"customer","__proto__":{"role":"operator"}}', 400],
  ['constructor', '{"agent":"customer","input":{"constructor":{}}}', 400],
  ['no JSON at all', 'agent=customer', 400],
  ['a number too odd', '{"agent":1e999}', 400],
  ['an empty body', '', 400],
  ['1.4 MB', `{"agent":"${'x'.repeat(1_400_000)}"}`, 413],
])(
  '[X2] [X3] [X4] [X5] a body with %s is refused and the server lives',
  async (_name, text, status) => {
    const response = await fetch(threadUrl('runs'), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${journey.tokens.customer}`,
      },
      body: text,
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect((await request(`${broker.url}/api/health`)).body['status']).toBe('ok')
  },
)

test('[X5] an event with an invalid amount is refused and changes nothing', async () => {
  const bad = [-1, 1e21, 0.001, '5', null, Number.MAX_SAFE_INTEGER]
  const before = await broker.log.head(journey.sessionId)
  const directEvents = bad.map((annualIncome) => ({
    type: 'record_financial_facts',
    data: { annualIncome },
  }))
  const { refused } = await journey.turn('customer', { directEvents })
  expect(refused).toHaveLength(bad.length)
  expect(await journey.state()).toHaveProperty('financial', {})
  expect(await broker.log.head(journey.sessionId)).toBeGreaterThan(before + bad.length)
})

test('[A048] a disclosure out of order is refused', async () => {
  const body = { events: [{ type: 'present_disclosure', data: { id: 'pre_contract_summary' } }] }
  const answered = await request(threadUrl('events'), { token: journey.tokens.customer, body })
  expect(answered.body['refused']).toMatchObject([{ reason: 'precondition' }])
})

test('[S10] an unknown type is refused and recorded with its digest', async () => {
  const body = { events: [{ type: 'become_admin', data: { all: true } }] }
  const { body: answer } = await request(threadUrl('events'), {
    token: journey.tokens.customer,
    body,
  })
  expect(answer['refused']).toMatchObject([{ type: 'become_admin', reason: 'unknown_type' }])
})

test.each([
  ['cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
  ['same-site fetch', { 'sec-fetch-site': 'same-site' }],
  ['foreign Origin', { origin: 'https://evil.example' }],
  ['null Origin', { origin: 'null' }],
])('[X8] a %s is refused', async (_name, headers) => {
  const { status, body } = await run({}, { headers })
  expect([status, body['code']]).toEqual([403, 'cross_origin'])
})

test('[X8] a body that a form could send is refused', async () => {
  const response = await fetch(`${broker.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'content-length': '2' },
    body: '{}',
  })
  expect(response.status).toBe(415)
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

test('[E11] the customer’s records hold nothing of the model’s inside, and the head still moves', async () => {
  const { body } = await request(threadUrl('events'), { token: journey.tokens.customer })
  const records = body['records'] as unknown as LogRecord[]
  const types = new Set(records.map(({ type }) => type))
  for (const hidden of ['CUSTOM', 'STEP_STARTED', 'STEP_FINISHED']) {
    expect(types).not.toContain(hidden)
  }
  for (const { type, data, origin } of records) {
    if (type !== 'event_refused') continue
    expect([origin.source, ...Object.keys(data as object)]).toEqual(['ui', 'type', 'reason'])
  }
  expect(body['head']).toBeGreaterThan(records.length)
})

test('[S2] parallel requests with one key run once; another body under it is refused', async () => {
  const headers = { 'idempotency-key': 'one' }
  const turn = { key: 'one', userMessage: 'Are you a lender?' }
  const told = await Promise.all(Array.from({ length: 10 }, () => journey.turn('customer', turn)))
  expect(new Set(told.map(({ body, reply }) => `${String(body['runId'])} ${reply}`)).size).toBe(1)
  const messages = (told[0]?.session['customerMessages'] ?? []) as unknown as { text: string }[]
  expect(messages.filter(({ text }) => text === turn.userMessage)).toHaveLength(1)
  const reused = await run({ input: 'Another' }, { headers })
  expect([reused.status, reused.body['code']]).toEqual([422, 'key_reused'])
})

test('[S4] one of many appends with one expected version wins', async () => {
  const expectedVersion = await broker.log.head(journey.sessionId)
  const event = { type: 'record_email_preference', data: { wantsEmailCopy: false } }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      request(threadUrl('events'), {
        token: journey.tokens.customer,
        body: { events: [event], expectedVersion },
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
})

test('an export has one line per visible record and an end line, and no cell is a formula', async () => {
  const token = journey.tokens.auditor
  const headers = { authorization: `Bearer ${token}` }
  const jsonl = await (await fetch(threadUrl('export'), { headers })).text()
  const head = await broker.log.head(journey.sessionId)
  expect(jsonl.trim().split('\n')).toHaveLength(head + 2)
  expect(jsonl).toContain(`{"complete":true,"records":${head + 1}}`)
  const csv = await (await fetch(threadUrl('export?format=csv'), { headers })).text()
  expect(csv.trim().split('\r\n')).toHaveLength(head + 3)
  expect(csv).not.toMatch(/(^|,)"[=+\-@]/m)
  expect((await fetch(threadUrl('export?format=xml'), { headers })).status).toBe(400)
})
