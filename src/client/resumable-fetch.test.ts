import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { RESUMES_MAX, resumableFetch } from './index.ts'
import { hello, problem, record, reset, stream } from './scripted-stream.fixture.ts'

const quick = { random: () => 1, sleep: async () => undefined }

/** What a turn says: one frame with an id, and two without one in front of it. */
const ANSWER = [
  'retry: 20\n\n',
  'id: 0\ndata: {"type":"start"}\n\n',
  'data: {"text":"Grüße "}\n\n',
  'data: {"text":"to all"}\n\n',
  'id: 1\ndata: {"type":"end"}\n\n',
  'data: [DONE]\n\n',
]
/** The pause is for the client, which resumes the stream itself. */
const READ = ANSWER.slice(1).join('')

/** Does each keyed turn once, and says all of it after the id that a request names. */
async function turns(answer: (response: ServerResponse, rest: Buffer) => void) {
  const keys: (string | undefined)[] = []
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    keys.push(request.headers['idempotency-key']?.toString())
    const after = request.headers['last-event-id']
    const at = ANSWER.findIndex((frame) => frame.startsWith(`id: ${String(after)}\n`)) + 1
    request.resume().on('end', () => answer(response, Buffer.from(ANSWER.slice(at).join(''))))
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server's address is an object, only a pipe's is a string.
  const { port } = server.address() as AddressInfo
  return { keys, url: `http://127.0.0.1:${port}/turns` }
}

const SSE = { 'content-type': 'text/event-stream' }

test('a turn that is cut at any byte is read whole, and done once', async () => {
  const bytes = Buffer.from(ANSWER.join('')).length
  for (let cut = -1; cut < bytes; cut++) {
    let connections = 0
    const { keys, url } = await turns((response, rest) => {
      if (connections++ > 0) return void response.writeHead(200, SSE).end(rest)
      if (cut < 0) return void response.destroy()
      response.writeHead(200, SSE).flushHeaders()
      response.write(rest.subarray(0, cut), () => response.destroy())
    })
    const response = await resumableFetch(quick)(url, { method: 'POST', body: '{"input":"Hi"}' })
    expect(await response.text(), `cut after ${cut} bytes`).toBe(READ)
    expect(keys[0]).toMatch(/^\d+-/)
    expect(keys, `cut after ${cut} bytes`).toEqual([keys[0], keys[0]])
  }
})

test('a stream that is cut again and again is read whole', async () => {
  const { url } = await turns((response, rest) => {
    response.writeHead(200, SSE).flushHeaders()
    const next = rest.indexOf('\n\n', rest.indexOf('id: ')) + 2
    if (next < 2 || next === rest.length) response.end(rest)
    else response.write(rest.subarray(0, next), () => response.destroy())
  })
  const response = await resumableFetch(quick)(new Request(url, { method: 'PUT', body: 'x' }))
  expect(await response.text()).toBe(READ)
})

/** Answers each connection with the next of these, the last of them again and again. */
function answering(...answers: readonly (() => Response)[]) {
  const requests: { readonly url: string; readonly headers: Headers }[] = []
  const send = async (url: unknown, init?: RequestInit): Promise<Response> => {
    requests.push({ url: String(url), headers: new Headers(init?.headers) })
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    init?.signal?.throwIfAborted()
    if (!answer) throw new Error('nothing is served')
    return answer()
  }
  return { requests, fetch: resumableFetch({ ...quick, fetch: send }), send }
}

async function readUntil(response: Response, end: string): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.endsWith(end)) break
  }
  return text
}

test('the stream of a thread goes on after an end, greets once, and names its log', async () => {
  const { requests, fetch } = answering(
    () => stream([hello(1), record(0), record(1).slice(0, 9)]),
    () => stream([hello(1), record(1)]),
    () => stream([hello(2), record(2)]),
  )
  const response = await fetch('/api/threads/t/events?depth=0')
  expect(await readUntil(response, record(2))).toBe(hello(1) + record(0) + record(1) + record(2))
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/threads/t/events?depth=0',
    '/api/threads/t/events?depth=0&epoch=e1',
    '/api/threads/t/events?depth=0&epoch=e1',
  ])
  expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '0', '1'])
  expect(requests[0]?.headers.get('idempotency-key')).toBeNull()
})

test('a reset is given to the reader, and the stream resumes after it', async () => {
  const { requests, fetch } = answering(
    () => stream([hello(9), record(9)]),
    () => stream([hello(4, 'e2'), reset(4, 'e2')]),
    () => stream([hello(5, 'e2'), record(5)]),
  )
  const text = await readUntil(await fetch('/events'), record(5))
  expect(text).toBe(hello(9) + record(9) + hello(4, 'e2') + reset(4, 'e2') + record(5))
  expect(requests.at(-1)?.headers.get('last-event-id')).toBe('4')
  expect(requests.at(-1)?.url).toBe('/events?epoch=e2')
})

test.each([
  ['refused for good', () => problem(404), { code: 'problem' }, 2],
  ['busy for ever', () => problem(503), { code: 'network' }, RESUMES_MAX],
  ['out of reach for ever', () => Response.error(), { code: 'network' }, RESUMES_MAX],
])('a stream that is then %s fails', async (...[, then, error, connections]) => {
  const { requests, fetch } = answering(() => stream([hello(0), record(0)]), then)
  const response = await fetch('/events')
  await expect(response.text()).rejects.toMatchObject({ name: 'ClientError', ...error })
  expect(requests).toHaveLength(connections)
})

test('a stream ends when the server says that there is no more of it', async () => {
  const { fetch } = answering(
    () => stream([hello(0), record(0)]),
    () => new Response(null, { status: 204 }),
  )
  expect(await (await fetch('/events')).text()).toBe(hello(0) + record(0))
})

test('an answer that is no stream is given as it is, and a request without one fails as fetch does', async () => {
  const refused = answering(() => problem(404))
  expect((await refused.fetch('/events')).status).toBe(404)
  const lost = answering()
  await expect(lost.fetch('/runs', { method: 'POST' })).rejects.toThrow('nothing is served')
  expect(new Set(lost.requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
})

test('a thread that says nothing is asked again', async () => {
  const open = () => stream([hello(0), record(0)], 'open')
  const { requests } = answering()
  const send = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    requests.push({ url: '', headers: new Headers(init?.headers) })
    const { body } = requests.length === 1 ? open() : stream([hello(1), record(1)])
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const { signal = null } = init ?? {}
    body?.pipeTo(writable, { ...(signal && { signal }) }).catch(() => undefined)
    return new Response(readable, { headers: SSE })
  }
  const fetch = resumableFetch({ ...quick, fetch: send, silenceMaxMs: 20 })
  const text = await readUntil(await fetch('/events'), record(1))
  expect(text).toBe(hello(0) + record(0) + record(1))
})

test('an abort or a cancel ends a stream that waits', async () => {
  const open = () => stream([hello(0), record(0)])
  const { requests, fetch } = answering(open)
  const abort = new AbortController()
  const response = await fetch('/events', { signal: abort.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  abort.abort(new Error('left'))
  await expect(reader?.read()).rejects.toThrow('left')
  expect(requests).toHaveLength(1)
  const again = await fetch('/events')
  await again.body?.cancel()
  expect(requests).toHaveLength(2)
  await expect(fetch('/events', { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow(
    'never',
  )
})

test('headers are asked again for every connection, and count before those of the request', async () => {
  const { requests, send } = answering(
    () => stream([hello(0), record(0)]),
    () => stream([hello(1), record(1)]),
  )
  let renewals = 0
  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${++renewals}`,
    ...(renewals === 1 && { 'x-first': 'yes' }),
  })
  const fetch = resumableFetch({ ...quick, fetch: send, headers })
  const asked = { headers: { authorization: 'Bearer 0', 'x-page': '7' } }
  await readUntil(await fetch('/events', asked), record(1))
  const sent = requests.map((each) => [
    each.headers.get('authorization'),
    each.headers.get('x-page'),
    each.headers.get('x-first'),
    each.headers.get('last-event-id'),
  ])
  expect(sent).toEqual([
    ['Bearer 1', '7', 'yes', null],
    ['Bearer 2', '7', null, '0'],
  ])
})

test('what headers throws fails the request, or the body of a stream that has begun', async () => {
  const { requests, send } = answering(() => stream([hello(0), record(0)]))
  let isSignedIn = true
  const headers = () => {
    if (!isSignedIn) throw new Error('signed out')
    return {}
  }
  const fetch = resumableFetch({ ...quick, fetch: send, headers })
  const response = await fetch('/events')
  isSignedIn = false
  await expect(response.text()).rejects.toThrow('signed out')
  await expect(fetch('/events')).rejects.toThrow('signed out')
  expect(requests).toHaveLength(1)
})
