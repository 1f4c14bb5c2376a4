import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, begunCase, get, newCase, parsed } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import { ask, encode, exchange } from './raw-http.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

let api: ServedApi
let own: Case
let other: Case

beforeAll(async () => {
  api = await serveApi()
  own = await begunCase(api)
  other = await newCase(api)
})

afterAll(() => api.close())

const HOST = 'Host: 127.0.0.1\r\n'
const JSON_BODY = 'Content-Type: application/json\r\n'

const BROKEN: readonly (readonly [string, string])[] = [
  ['half a request line', 'GET /api/hea'],
  ['half a head', `GET /api/health HTTP/1.1\r\n${HOST}`],
  ['HTTP/0.9', 'GET /api/health\r\n\r\n'],
  ['HTTP/9.9', `GET / HTTP/9.9\r\n${HOST}\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['bytes that are nothing', '\x00\xff\x00\xff\r\n\r\n'],
  ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
  ['two hosts', `GET /api/health HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ['a host that is none', 'GET /api/health HTTP/1.1\r\nHost: a b/c@d\r\n\r\n'],
  ['a blank before the colon', `GET /api/health HTTP/1.1\r\n${HOST}A : b\r\n\r\n`],
  ['a folded header', `GET /api/health HTTP/1.1\r\n${HOST}A: b\r\n c: d\r\n\r\n`],
  ['a NUL in a header', `GET /api/health HTTP/1.1\r\n${HOST}A: b\0c\r\n\r\n`],
  ['a NUL in the path', `GET /api/\0health HTTP/1.1\r\n${HOST}\r\n`],
  ['a bare CR', `GET /api/health HTTP/1.1\r\n${HOST}A: b\rc: d\r\n\r\n`],
  ['20 KB of head', `GET /api/health HTTP/1.1\r\n${HOST}A: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['20 KB of path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['5,000 headers', `GET /api/health HTTP/1.1\r\n${HOST}${'A:b\r\n'.repeat(5_000)}\r\n`],
  ['half a body', `POST /api/token HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: 99\r\n\r\n{"tok`],
  [
    'a length below 0',
    `POST /api/token HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: -1\r\n\r\n{}`,
  ],
  [
    'two lengths',
    `POST /api/token HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}`,
  ],
  [
    'a length and chunks',
    `POST /api/token HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n${HOST}\r\n`,
  ],
  [
    'chunks that lie',
    `POST /api/token HTTP/1.1\r\n${HOST}${JSON_BODY}Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a coding that is not known',
    `POST /api/token HTTP/1.1\r\n${HOST}${JSON_BODY}Transfer-Encoding: zip\r\n\r\n{}`,
  ],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`],
  [
    'an upgrade',
    `GET /api/health HTTP/1.1\r\n${HOST}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  ['an absolute address', `GET http://evil.example/api/threads HTTP/1.1\r\n${HOST}\r\n`],
  ['an address that is none', `GET http://[/ HTTP/1.1\r\n${HOST}\r\n`],
  ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
]

test.each(BROKEN)(
  '[X1] %s is answered below 500 or not at all, and changes nothing',
  async (...it) => {
    const [, text] = it
    const before = await progress(api.log)
    const answers = await exchange(api.port, Buffer.from(text, 'latin1'), 'leave')
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(500)
      expect(body).not.toMatch(/node:internal|node_modules|\.ts:\d/)
    }
    expect(await progress(api.log)).toBe(before)
    expect((await get(api, '/api/health')).status).toBe(200)
  },
)

test('[X1] every way to cut a request short is answered below 500 or not at all, and changes nothing', async ({
  annotate,
}) => {
  const { sessionId, tokens } = own
  const whole = encode(api.port, {
    method: 'POST',
    target: `/api/threads/${sessionId}/events`,
    headers: { authorization: `Bearer ${tokens.customer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ type: 'withdraw', data: {} }] }),
  })
  const before = await progress(api.log)
  let faults = 0
  for (let length = 1; length < whole.length; length += 3) {
    const answers = await exchange(api.port, whole.subarray(0, length), 'leave')
    faults += answers.filter(({ status }) => !(status >= 400 && status < 500)).length
  }
  expect(faults).toBe(0)
  expect(await progress(api.log)).toBe(before)
  const cuts = Math.floor((whole.length - 1) / 3)
  await annotate(`${faults} of ${cuts} requests that were cut short did anything`, 'promise')
})

test('[X1] a HEAD of a stream is answered, and ends', async () => {
  const { sessionId, tokens } = own
  const answer = await ask(api.port, {
    method: 'HEAD',
    target: `/api/threads/${sessionId}/events`,
    headers: { accept: 'text/event-stream', ...bearer(tokens.customer) },
  })
  expect([answer?.status, answer?.body]).toEqual([200, ''])
})

test('[X1] [X7] pipelined requests of several people are answered in order, each as its own', async () => {
  const people = [own, other, own, own, other]
  const asked = Array.from({ length: 50 }, (_, at) => {
    const { sessionId, tokens } = people[at % people.length] ?? own
    const foreign = at % 3 === 0
    const token = (foreign ? (sessionId === own.sessionId ? other : own) : { tokens }).tokens
      .customer
    const bytes = encode(api.port, {
      method: 'GET',
      target: `/api/threads/${sessionId}/state`,
      headers: {
        authorization: `Bearer ${token}`,
        connection: at === 49 ? 'close' : 'keep-alive',
      },
    })
    return { sessionId, foreign, bytes }
  })
  const answers = await exchange(api.port, Buffer.concat(asked.map(({ bytes }) => bytes)), 'stay')
  expect(answers).toHaveLength(asked.length)
  for (const [at, { sessionId, foreign }] of asked.entries()) {
    const [answer] = answers.slice(at)
    expect(answer?.status).toBe(foreign ? 404 : 200)
    if (!answer || foreign) continue
    expect(parsed<{ state: { sessionId: string } }>(answer).state.sessionId).toBe(sessionId)
  }
})
