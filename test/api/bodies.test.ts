import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { begunCase, bearer, deskThread, get, parsed } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import { ask } from './raw-http.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { Route, ServedApi } from './served-api.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

let api: ServedApi
let own: Case
let desk: string

const OPERATOR = 'open-sesame-said-the-operator-of-it'

beforeAll(async () => {
  api = await serveApi({ operatorToken: OPERATOR })
  own = await begunCase(api, OPERATOR)
  desk = await deskThread(api, OPERATOR)
})

afterAll(() => api.close())

const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
const events = (data: string) => `{"events":[{"type":"record_financial_facts","data":${data}}]}`
const zeros = Buffer.alloc(10_000_000, '0')

/** Bodies that every route refuses. */
const REFUSED: readonly (readonly [string, string, string | Buffer])[] = [
  ['X2', '100,000 arrays in one another', nested(100_000)],
  ['X2', 'arrays deeper than allowed', nested(33)],
  ['X2', 'objects in one another', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['X2', 'data deeper than allowed', events(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)],
  ['X2', 'arrays that never close', '['.repeat(200_000)],
  ['X3', '300 KB', `{"a":"${'x'.repeat(300_000)}"}`],
  ['X3', '250 KB of zeros in an array', `{"events":[${'0,'.repeat(125_000)}0]}`],
  ['X3', '60,000 empty objects', `{"events":[${'{},'.repeat(60_000)}{}]}`],
  ['X3', '25,000 names', `{${Array.from({ length: 25_000 }, (_, at) => `"${at}":0`).join(',')}}`],
  ['X3', 'a string of 250 KB', `{"sessionId":"${'é'.repeat(125_000)}"}`],
  ['X4', '__proto__', '{"__proto__":{"polluted":true}}'],
  ['X4', '__proto__ far inside', events('{"a":[{"__proto__":{"polluted":true}}]}')],
  ['X4', '__proto__ in escapes', '{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":true}}'],
  ['X4', 'constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['X4', 'a name twice', '{"sessionId":"a","sessionId":"b"}'],
  ['X4', 'a name twice, once in escapes', '{"sessionId":"a","sess\\u0069onId":"b"}'],
  ['X4', 'a name twice far inside', events('{"annualIncome":1,"annualIncome":2}')],
  ['X5', '1e400', events('{"annualIncome":1e400}')],
  ['X5', '-1e400', events('{"annualIncome":-1e400}')],
  ['X5', '1e-400', events('{"annualIncome":1e-400}')],
  ['X5', '-0', events('{"annualIncome":-0}')],
  ['X5', '2^53 + 1', events('{"annualIncome":9007199254740993}')],
  ['X5', 'a leading zero', events('{"annualIncome":042000}')],
  ['X5', 'a plus sign', events('{"annualIncome":+1}')],
  ['X5', 'NaN', events('{"annualIncome":NaN}')],
  ['X5', 'hexadecimal', events('{"annualIncome":0x10}')],
  ['X5', 'bytes that are not UTF-8', Buffer.from('{"sessionId":"\xff"}', 'latin1')],
  ['X5', 'UTF-16', Buffer.from('{"sessionId":"a"}', 'utf16le')],
  ['X5', 'a byte order mark', '\ufeff{"sessionId":"a"}'],
]

/** A route gets one in `EACH` of the bodies, and the next route others, so that some route gets each of them. */
const EACH = timesInTier({ quick: 4, full: 1 })

function takers(): Route[] {
  return api.routes().filter(({ method }) => method === 'POST')
}

function send({ path }: Route, body: string | Buffer, more: Record<string, string> = {}) {
  const thread = /runs/.test(path) ? desk : own.sessionId
  const [, side] = /chat\/(installer|customer)/.exec(path) ?? []
  const token = side === 'installer' || side === 'customer' ? own.tokens[side] : OPERATOR
  return ask(api.port, {
    method: 'POST',
    target: path.replace(':id', thread).replace(':runId', 'x'),
    headers: { 'content-type': 'application/json', ...bearer(token), ...more },
    body,
  })
}

test.for([
  ['[X2]', 'deep'],
  ['[X3]', 'vast'],
  ['[X4]', 'ambiguous'],
  ['[X5]', 'odd'],
] as const)('%s no route takes a body that is %s', async ([promise, kind], { annotate }) => {
  const bodies = REFUSED.filter(([id]) => promise === `[${id}]`)
  const before = await progress(api.log)
  const wrong: string[] = []
  let slowestMs = 0
  let sent = 0
  for (const [nth, route] of takers().entries()) {
    for (const [, name, body] of bodies.filter((_, at) => (at + nth) % EACH === 0)) {
      sent++
      const since = performance.now()
      const answer = await send(route, body)
      slowestMs = Math.max(slowestMs, performance.now() - since)
      const { status = 0 } = answer ?? {}
      if (![400, 413].includes(status)) wrong.push(`${route.path}: ${name} is answered ${status}`)
    }
  }
  expect(wrong).toEqual([])
  expect(await progress(api.log)).toBe(before)
  expect('polluted' in {}).toBe(false)
  expect((await get(api, '/api/health')).status).toBe(200)
  await annotate(
    `${wrong.length} of ${sent} ${kind} bodies were taken by ${takers().length} routes; the slowest answer took ${Math.round(slowestMs)} ms`,
    'promise',
  )
})

test('[X3] a body that unpacks to 10 MB is refused as it arrives', async ({ annotate }) => {
  const bomb = gzipSync(zeros)
  const codings = ['gzip', 'deflate', 'br', 'x', 'identity, gzip']
  for (const route of takers()) {
    for (const coding of codings) {
      const answer = await send(route, bomb, { 'content-encoding': coding })
      expect([route.path, coding, answer?.status]).toEqual([route.path, coding, 415])
    }
    expect((await send(route, '{}', { 'content-encoding': 'identity' }))?.status).not.toBe(415)
  }
  const count = takers().length * codings.length
  await annotate(`0 of ${count} bodies that unpack to 10 MB were taken`, 'promise')
})

test('[X3] a body in chunks without an end is refused once it is too large', async ({
  annotate,
}) => {
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  const [ample, vast] = [chunk(zeros.subarray(0, 1_000_000)), chunk(zeros)]
  // The server waits half a second for the rest of each body: all at once.
  const answers = takers().map((route) =>
    ask(api.port, {
      method: 'POST',
      target: route.path.replace(':id', own.sessionId).replace(':runId', 'x'),
      headers: {
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
        ...bearer(OPERATOR),
      },
      // A run may bring files, and one over AG-UI a long conversation.
      body: /^\/(?:agui|chat)\/:agent$|\/agui\/|\/runs$/.test(route.path) ? vast : ample,
    }),
  )
  for (const answer of await Promise.all(answers)) {
    expect([400, 404, 413]).toContain(answer?.status)
  }
  await annotate(`0 of ${takers().length} bodies in endless chunks were taken`, 'promise')
})

const MONEY = [
  ['record_project_facts', 'projectValue', 'installer'],
  ['record_project_facts', 'depositAmount', 'installer'],
  ['record_provisional_quote', 'termMonths', 'customer'],
  ['record_financial_facts', 'annualIncome', 'customer'],
  ['record_financial_facts', 'monthlyOutgoings', 'customer'],
] as const

const ODD = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-0.0',
  '9007199254740993',
  '-9007199254740993',
  '017500',
  '1e21',
  '-1',
  '0.001',
  '17500.000000001',
  '1.7976931348623157e308',
  '5e-324',
  '"17500"',
  '"1e3"',
  'true',
  '[17500]',
  '{"valueOf":17500}',
  'null',
]

test('[X5] an odd number in any amount decides nothing', async ({ annotate }) => {
  const state = async () =>
    parsed<{ case: { project: unknown; financial: unknown; provisionalQuote: unknown } }>(
      await get(api, `/api/audit/${own.sessionId}`, own.tokens.auditor),
    ).case
  const { project, financial, provisionalQuote } = await state()
  const taken: string[] = []
  for (const [type, name, side] of MONEY) {
    for (const odd of ODD) {
      const answer = await ask(api.port, {
        method: 'POST',
        target: `/api/threads/${own.sessionId}/events`,
        headers: { 'content-type': 'application/json', ...bearer(own.tokens[side]) },
        body: `{"events":[{"type":"${type}","data":{"${name}":${odd}}}]}`,
      })
      if (answer?.status === 400) continue
      const { refused } = parsed<{ refused: unknown[] }>(
        answer ?? { status: 0, headers: {}, body: '{}' },
      )
      if (refused.length !== 1) taken.push(`${type}.${name}: ${odd}`)
    }
  }
  expect(taken).toEqual([])
  expect(await state()).toMatchObject({ project, financial })
  expect((await state()).provisionalQuote).toEqual(provisionalQuote)
  await annotate(
    `${taken.length} of ${MONEY.length * ODD.length} odd numbers were taken for an amount`,
    'promise',
  )
})
