import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { applicationOf } from '../application.ts'
import { builtInPanel } from '../built-in-panel.ts'
import { ANSWER_BYTES_MAX, httpPanel } from './http-panel.ts'
import {
  dripsForEver,
  fails,
  hangs,
  hangsUp,
  loopbackLender,
  says,
  stopsHalfway,
} from './loopback-lender.fixture.ts'
import { readyCase } from '../ready-case.fixture.ts'

const APPLICATION = applicationOf(readyCase(), {
  applicationId: 'key-1',
  productCode: 'IBC',
  submittedAt: '2026-03-02T11:00:00.000Z',
})
const TERMS = {
  netLoanAmount: 15_750,
  aprPct: 9.15,
  termMonths: 120,
  monthlyPayment: 197.71,
  totalPayable: 23_725.2,
}
const APPROVED = { decision: 'approved', terms: TERMS }
const CALL = { key: 'key-1', scenario: 'decline' } as const

/** Long enough for what answers, also on a busy machine. */
const AMPLE_MS = 20_000
/** Enough for two attempts that are never answered, and the pause between them. */
const SHORT_MS = 1_600

function asking(baseUrl: string, budgetMs = AMPLE_MS) {
  return httpPanel({ baseUrl, lenders: builtInPanel.lenders, budgetMs })
}

const unavailable = (reason: string) => ({ kind: 'unavailable', reason })
const approved = { kind: 'approved', terms: TERMS }

test('a lender is asked by name, under the key, for nothing but the application', async () => {
  const { url, heard } = await loopbackLender(says(APPROVED))
  expect(await asking(`${url}/gateway/`).decide(1, APPLICATION, CALL)).toEqual(approved)
  expect(heard).toMatchObject([
    {
      method: 'POST',
      url: '/gateway/decisions',
      headers: { 'idempotency-key': 'key-1', 'content-type': 'application/json' },
    },
  ])
  const [{ body, headers } = { body: '', headers: {} }] = heard
  expect(JSON.parse(body)).toEqual({ lender: 'Meridian Bank', application: APPLICATION })
  for (const secret of ['moved house', 'recent_life_event', 'decline', '07700', 'Harbour']) {
    expect(body).not.toContain(secret)
  }
  expect(JSON.stringify(headers)).not.toMatch(/sarah|lark|SN1/i)
})

test.each([
  ['an approval', APPROVED, approved],
  ['a counter-offer', { ...APPROVED, decision: 'counter_offer' }, approved],
  ['a decline', { decision: 'declined', reason: 'NO_1' }, { kind: 'declined', reason: 'NO_1' }],
])('%s is read', async (_name, answer, decision) => {
  const { url } = await loopbackLender(says(answer))
  expect(await asking(url).decide(0, APPLICATION, CALL)).toEqual(decision)
})

test.each([
  ['a 500', fails(500)],
  ['a 503', fails(503)],
  ['a 429', fails(429)],
  ['a closed connection', hangsUp],
  ['an answer that stops halfway', stopsHalfway],
])('[B058] %s: the request is repeated under the same key', async (_name, fault) => {
  const { url, heard } = await loopbackLender(fault, says(APPROVED))
  expect(await asking(url).decide(0, APPLICATION, CALL)).toEqual(approved)
  expect(heard.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1'])
  expect(heard[0]?.body).toBe(heard[1]?.body)
})

test('[B058] after one timeout the lender is asked again within the time budget', async () => {
  const { url, heard } = await loopbackLender(hangs, says(APPROVED))
  expect(await asking(url, 4_000).decide(0, APPLICATION, CALL)).toEqual(approved)
  expect(heard).toHaveLength(2)
})

test.each([
  ['500 and 500 again', fails(500), 'STATUS_500'],
  ['429 and 429 again', fails(429), 'STATUS_429'],
  ['cut and cut again', stopsHalfway, 'NETWORK_ERROR: UND_ERR_SOCKET'],
])('[B058] %s is unavailable, after two requests', async (_name, fault, reason) => {
  const { url, heard } = await loopbackLender(fault)
  expect(await asking(url).decide(0, APPLICATION, CALL)).toEqual(unavailable(reason))
  expect(heard).toHaveLength(2)
})

test.each([
  ['never answers', hangs],
  ['never ends its answer', dripsForEver],
])('[B058] a lender that %s is unavailable once the budget is spent', async (_name, fault) => {
  const { url, heard } = await loopbackLender(fault)
  const decision = await asking(url, SHORT_MS).decide(0, APPLICATION, CALL)
  expect(decision).toEqual(unavailable('TIMEOUT'))
  expect(heard).toHaveLength(2)
})

test('a lender that wants to be left alone for longer than the budget is not asked again', async () => {
  const { url, heard } = await loopbackLender(fails(429, { 'retry-after': '3600' }))
  const decision = await asking(url).decide(0, APPLICATION, CALL)
  expect(decision).toEqual(unavailable('STATUS_429'))
  expect(heard).toHaveLength(1)
})

test('a lender without a server is unavailable', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const decision = await asking(`http://127.0.0.1:${port}`).decide(0, APPLICATION, CALL)
  expect(decision).toEqual(unavailable('NETWORK_ERROR: ECONNREFUSED'))
})

test.each([400, 404, 409, 422])('a %i is unavailable at once', async (status) => {
  const { url, heard } = await loopbackLender(fails(status))
  const decision = await asking(url).decide(0, APPLICATION, CALL)
  expect(decision).toEqual(unavailable(`STATUS_${status}`))
  expect(heard).toHaveLength(1)
})

test.each([301, 307, 308])('an application does not follow a %i', async (status) => {
  const elsewhere = await loopbackLender(says(APPROVED))
  const { url } = await loopbackLender(fails(status, { location: `${elsewhere.url}/decisions` }))
  const decision = await asking(url).decide(0, APPLICATION, CALL)
  expect(decision).toEqual(unavailable(`STATUS_${status}`))
  expect(elsewhere.heard).toEqual([])
})

const NOT_ONE_THING = 'it is not JSON that means one thing only'
const padding = ' '.repeat(ANSWER_BYTES_MAX)

test.each([
  ['a page', '<html>CANARY</html>', NOT_ONE_THING],
  ['nothing', '', NOT_ONE_THING],
  ['two decisions', '{"decision":"declined","decision":"approved"}', NOT_ONE_THING],
  ['a prototype', '{"__proto__":{},"decision":"declined","reason":"NO"}', NOT_ONE_THING],
  ['a list', [APPROVED], 'invalid_type'],
  ['an unknown decision', { decision: 'CANARY' }, 'decision invalid_union'],
  ['no terms', { decision: 'approved' }, 'terms invalid_type'],
  ['a rate in words', { ...APPROVED, terms: { ...TERMS, aprPct: '9.15' } }, 'terms.aprPct'],
  ['a negative rate', { ...APPROVED, terms: { ...TERMS, aprPct: -1 } }, 'terms.aprPct'],
  ['an endless amount', JSON.stringify(APPROVED).replace('15750', '1e999'), 'means one thing only'],
  ['half a month', { ...APPROVED, terms: { ...TERMS, termMonths: 1.5 } }, 'terms.termMonths'],
  [
    'a decline in prose',
    { decision: 'declined', reason: 'We CANARY not' },
    'reason invalid_format',
  ],
  ['more than was asked', { ...APPROVED, CANARY: 1 }, 'unrecognized_keys'],
  ['more terms', { ...APPROVED, terms: { ...TERMS, CANARY: 1 } }, 'terms unrecognized_keys'],
])(
  'an answer that is %s is unavailable, and why is said in our words',
  async (_name, body, why) => {
    const { url, heard } = await loopbackLender(says(body))
    const decision = await asking(url).decide(0, APPLICATION, CALL)
    expect(decision).toEqual(unavailable(expect.stringMatching(/^MALFORMED_ANSWER: .{3,200}$/)))
    expect(decision).toEqual(unavailable(expect.stringContaining(why)))
    expect(JSON.stringify(decision)).not.toContain('CANARY')
    expect(heard).toHaveLength(1)
  },
)

test('an answer is read up to a size, and no further', async () => {
  const { url } = await loopbackLender(says(`${padding}${JSON.stringify(APPROVED)}`))
  const decision = await asking(url).decide(0, APPLICATION, CALL)
  expect(decision).toEqual(unavailable('ANSWER_TOO_LARGE'))
})

test('an aborted call rejects and marks no lender as unavailable', async () => {
  const { url } = await loopbackLender(hangs)
  const stop = new AbortController()
  const call = asking(url).decide(0, APPLICATION, { ...CALL, signal: stop.signal })
  stop.abort(new Error('the server stops'))
  await expect(call).rejects.toThrow('the server stops')
})

test('there is no lender beyond the last', () => {
  const beyond = builtInPanel.lenders.length
  const ask = () => asking('http://127.0.0.1:9').decide(beyond, APPLICATION, CALL)
  expect(ask).toThrow(`no lender at index ${beyond}`)
})
