import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Fetch } from './index.ts'
import { ClientError, request } from './index.ts'

const URL_OF_EVENTS = '/api/threads/t1/events'

function answering(body: BodyInit | null, init: ResponseInit = {}) {
  const seen: { url: string; init: RequestInit }[] = []
  const fetch: Fetch = (url, sent) => {
    seen.push({ url, init: sent })
    return new Response(body, init)
  }
  return { fetch, seen }
}

/** Answers never, and fails as a platform's fetch does once it is aborted. */
const deaf: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })

async function failure(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => 'answered',
    (error: unknown) => error,
  )
}

test('with a schema the answer has the schema’s type, and an answer that does not fit is an error', async () => {
  const schema = z.object({
    head: z.number(),
    at: z.iso.datetime().transform((at) => new Date(at)),
  })
  const at = '2026-03-02T11:00:00.000Z'
  const { fetch } = answering(JSON.stringify({ head: 3, at }))
  const answer = await request(URL_OF_EVENTS, { fetch, schema })
  expectTypeOf(answer).toEqualTypeOf<{ head: number; at: Date }>()
  expect(answer).toEqual({ head: 3, at: new Date(at) })
  const other = answering('{"head":3}')
  await expect(request(URL_OF_EVENTS, { fetch: other.fetch, schema })).rejects.toMatchObject({
    code: 'protocol',
    message: expect.stringContaining('Cannot read the answer: '),
  })
})

test('a body makes a POST of JSON, under its idempotency key and headers', async () => {
  const { fetch, seen } = answering('{"head":3}', { status: 201 })
  const headers = { 'throughline-role': 'customer' }
  const body = { events: [{ type: 'noted', data: '\uD800é' }] }
  const answer = await request(URL_OF_EVENTS, { body, headers, idempotencyKey: 'k1', fetch })
  expect(answer).toEqual({ head: 3 })
  expect(seen[0]?.url).toBe(URL_OF_EVENTS)
  expect(seen[0]?.init).toMatchObject({ method: 'POST', body: JSON.stringify(body) })
  expect(seen[0]?.init.headers).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    'idempotency-key': 'k1',
    'throughline-role': 'customer',
  })
})

test('without a body it is a GET', async () => {
  const { fetch, seen } = answering('[1]')
  expect(await request(URL_OF_EVENTS, { fetch })).toEqual([1])
  expect(seen[0]?.init).toMatchObject({ method: 'GET', headers: { accept: 'application/json' } })
})

test('an empty answer is null', async () => {
  const { fetch } = answering(null, { status: 204 })
  expect(await request(URL_OF_EVENTS, { body: null, fetch })).toBeNull()
})

test.each([
  [422, true],
  [404, true],
  [409, false],
  [429, false],
  [503, false],
])('an answer of %i throws its problem; final: %s', async (status, final) => {
  const problem = { type: '/p', title: 'No', status, detail: 'Not so', code: 'not_so' }
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '3' }
  const { fetch } = answering(JSON.stringify(problem), { status, headers })
  const error = await failure(request(URL_OF_EVENTS, { fetch }))
  expect(error).toBeInstanceOf(ClientError)
  expect(error).toMatchObject({
    code: 'problem',
    message: 'Cannot ask the server: Not so',
    problem,
    final,
    retryAfterMs: 3000,
  })
})

test.each([
  ['HTML', '<h1>Bad gateway</h1>', 'text/html'],
  ['broken JSON', '{', 'application/json'],
  ['an endless problem', `"${'x'.repeat(100_000)}"`, 'application/problem+json'],
  ['no problem', '"out of order"', 'application/json'],
])('a failure that comes with %s is a problem named by its status', async (_what, body, type) => {
  const headers = { 'content-type': type }
  const { fetch } = answering(body, { status: 502, statusText: 'Bad Gateway', headers })
  const error = await failure(request(URL_OF_EVENTS, { fetch }))
  expect(error).toMatchObject({
    code: 'problem',
    problem: {
      type: 'about:blank',
      title: 'Bad Gateway',
      status: 502,
      detail: 'The server answered 502',
      code: 'http_502',
    },
  })
})

test('an answer that is not JSON is a broken protocol', async () => {
  const { fetch } = answering('<h1>Hello</h1>')
  expect(await failure(request(URL_OF_EVENTS, { fetch }))).toMatchObject({ code: 'protocol' })
})

test('an endless answer is given up', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(32)),
  })
  const { fetch } = answering(endless)
  expect(await failure(request(URL_OF_EVENTS, { fetch }))).toMatchObject({ code: 'protocol' })
})

test('a server out of reach and an answer cut short are the network', async () => {
  const unreachable: Fetch = () => Promise.reject(new TypeError('fetch failed'))
  const error = await failure(request(URL_OF_EVENTS, { fetch: unreachable }))
  expect(error).toMatchObject({ code: 'network', cause: new TypeError('fetch failed') })
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
  const { fetch } = answering(body)
  expect(await failure(request(URL_OF_EVENTS, { fetch }))).toMatchObject({ code: 'network' })
})

test('an answer that does not come in time is a timeout', async () => {
  const error = await failure(request(URL_OF_EVENTS, { fetch: deaf, timeoutMs: 10 }))
  expect(error).toMatchObject({
    code: 'timeout',
    message: 'Cannot ask the server: no answer came for 10 ms',
  })
})

test("the caller's own abort is thrown as it is", async () => {
  const abort = new AbortController()
  const asked = failure(request(URL_OF_EVENTS, { fetch: deaf, signal: abort.signal }))
  const reason = new Error('left the page')
  abort.abort(reason)
  expect(await asked).toBe(reason)
  expect(await failure(request(URL_OF_EVENTS, { fetch: deaf, signal: abort.signal }))).toBe(reason)
})
