import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, begunCase, post } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import { ask } from './raw-http.fixture.ts'
import type { RawAnswer } from './raw-http.fixture.ts'
import { serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

let api: ServedApi
let own: Case
const lines: string[] = []

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  api = await serveApi({ logger: pino({ level: 'trace' }, stream) })
  own = await begunCase(api)
})

afterAll(() => api.close())

/** Characters that start a new line, move a terminal's cursor or reverse text. */
const HOSTILE = [
  '\r\nset-cookie: injected=1',
  '\n{"level":60,"msg":"injected"}',
  '\u001b[2Jinjected',
  '\u009b2Jinjected',
  '\u202einjected',
  '\u2028injected',
  '\u0000injected',
  '\u0007injected\u007f',
]

async function sendEverywhere(text: string): Promise<readonly RawAnswer[]> {
  const { sessionId, tokens } = own
  const encoded = encodeURIComponent(text)
  const targets = [
    `/${encoded}`,
    `/api/threads/${encoded}/state`,
    `/api/threads/${sessionId}/events?after=${encoded}`,
    `/api/threads/${sessionId}/export?format=${encoded}`,
    `/api/threads/${sessionId}/state?at=${encoded}`,
    `/api/disclosures/${encoded}?version=${encoded}`,
    `/api/quotes?sessionId=${encoded}`,
    `/customer/${encoded}`,
    `/assets/${encoded}`,
  ]
  const got = await Promise.all(
    targets.map((target) =>
      ask(api.port, { method: 'GET', target, headers: bearer(tokens.customer) }),
    ),
  )
  const bodies: readonly (readonly [string, unknown])[] = [
    ['/api/token', { token: text }],
    ['/api/session', { retailerName: text }],
    ['/api/session', { [text]: text }],
    ['/api/address-lookup', { postcode: text }],
    [`/api/threads/${sessionId}/events`, { events: [{ type: text, data: { [text]: text } }] }],
    [`/api/threads/${encoded}/runs`, { agent: text, input: text }],
    [`/api/threads/desk-log/runs`, { agent: 'policy', input: text }],
    ['/api/chat/customer', { sessionId, userMessage: text }],
    ['/api/chat/customer', { sessionId: text, userMessage: text }],
  ]
  const posted = await Promise.all(
    bodies.map(([target, body]) => post(api, target, { body, token: tokens.customer })),
  )
  // In a header a line break cannot be sent, and a character beyond latin-1 is cut to a byte.
  const inHeader = text.replaceAll(/[\r\n\0]/g, '')
  const headed = await ask(api.port, {
    method: 'GET',
    target: '/api/health',
    headers: { 'user-agent': inHeader, 'idempotency-key': inHeader, cookie: `a=${inHeader}` },
  })
  return [...got, ...posted, headed].flatMap((answer) => answer ?? [])
}

test('[X12] no text gets into a header of an answer or begins a line of the log', async ({
  annotate,
}) => {
  const answers: RawAnswer[] = []
  for (const text of HOSTILE) answers.push(...(await sendEverywhere(text)))
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const heads = answers.filter(({ headers }) => JSON.stringify(headers).includes('injected'))
  expect(heads).toEqual([])
  expect(lines.length).toBeGreaterThan(answers.length / 2)
  const forged = lines.filter((line) => !isWhole(line) || line.includes('injected'))
  expect(forged).toEqual([])
  await annotate(
    `${forged.length} of ${lines.length} lines of the log and ${heads.length} of ${answers.length} heads of answers carried injected text`,
    'promise',
  )
})

const MOVES = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** One line of JSON, in which nothing moves a cursor or turns text around. */
function isWhole(line: string): boolean {
  const text = line.slice(0, -1)
  return line.endsWith('\n') && !MOVES.test(text) && 'level' in (JSON.parse(text) as object)
}

test('[surfaces 61] the page for unknown addresses has a code, and the log has one line with that code', async () => {
  const answers = await Promise.all(
    ['/nowhere', '/customers/sarah'].map((target) =>
      ask(api.port, { method: 'GET', target, headers: { accept: 'text/html' } }),
    ),
  )
  const codes = answers.map((answer) => {
    const timing = answer?.headers['server-timing'] ?? ''
    const [, code = ''] = /^code;desc="([0-9a-f]{8})"$/.exec(timing) ?? []
    return code
  })
  expect(new Set(codes).size).toBe(2)
  for (const code of codes) {
    const found = lines.filter((line) => line.includes(`"code":"${code}"`))
    expect(found).toHaveLength(1)
    expect(JSON.parse(found[0] ?? '')).toMatchObject({ level: 40, method: 'GET', status: 404 })
  }
  expect(lines.join('')).not.toContain('sarah')
  const problem = await ask(api.port, { method: 'GET', target: '/nowhere' })
  expect(problem?.headers).not.toHaveProperty('server-timing')
})
