import { createAdaptorServer, getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from './index.ts'
import { byHeader, mounted, open, quiet, report, responder } from './mounted-routes.fixture.ts'

const STREAM = '/api/threads/t/events'
const ASKED = { accept: 'text/event-stream', caller: JSON.stringify(responder) }

interface Listening {
  listen(port: number, host: string): unknown
  close(): unknown
  address(): unknown
}

async function listening(server: Listening): Promise<string> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await expect.poll(() => server.address()).not.toBeNull()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a stream of mounted routes carries the headers that its program sets before and after it', async () => {
  const { http, ask } = await mounted()
  await ask('/api/threads/t/events', responder, report)
  const outer = new Hono()
  outer.use(async (context, next) => {
    context.header('access-control-allow-origin', 'https://app.example')
    await next()
    context.header('x-request-id', 'r1')
  })
  outer.route('/', http.hono)
  const url = await listening(createAdaptorServer({ fetch: outer.fetch }) as Listening)
  const leaving = new AbortController()
  const stream = await fetch(url + STREAM, { headers: ASKED, signal: leaving.signal })
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'x-request-id': 'r1',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store, no-transform',
  })
  leaving.abort()
})

test('routes under a path that the server takes off, as Express does, leave it its other pages', async () => {
  const { http } = await mounted()
  const listener = getRequestListener(http.fetch)
  const site = createHttpServer((request, response) => {
    if (!request.url?.startsWith('/tl/')) return response.end('my page')
    request.url = request.url.slice('/tl'.length)
    return void listener(request, response)
  })
  const url = await listening(site)
  expect(await (await fetch(`${url}/mine`)).text()).toBe('my page')
  expect(await (await fetch(`${url}/tl/api/health`)).json()).toEqual({ status: 'ok' })
})

test('a stream of our own server has the headers of its other answers', async () => {
  const throughline = await open()
  await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  const server = await serve(throughline, { port: 0, authenticate: byHeader, ...quiet })
  onTestFinished(() => server.close())
  const answer = await fetch(`${server.url}/api/health`)
  const stream = await fetch(server.url + STREAM, { headers: ASKED })
  for (const [name, value] of answer.headers) {
    if (!/^(content-|date|cache-control|connection|keep-alive|transfer-)/.test(name)) {
      expect([name, stream.headers.get(name)]).toEqual([name, value])
    }
  }
  await stream.body?.cancel()
})

test('a stream arrives over HTTP/2, live', async () => {
  const { http, ask } = await mounted()
  await ask('/api/threads/t/events', responder, report)
  const server = createServer(getRequestListener(http.fetch))
  const session = connect(await listening(server))
  onTestFinished(() => session.destroy())
  const request = session.request({ ':path': STREAM, ...ASKED })
  request.setEncoding('utf8')
  let text = ''
  request.on('data', (chunk: string) => (text += chunk))
  await once(request, 'response')
  await expect.poll(() => text).toContain('id: 0\n')
  await ask('/api/threads/t/events', responder, report)
  await expect.poll(() => text).toContain('id: 1\n')
})

/** Frees what nothing refers to. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round++) {
    collect()
    await setImmediate()
  }
}

test('a fetch stream ends with its request’s signal, also when the request is garbage', async () => {
  const { http, ask } = await mounted({ streamsPerToken: 1 })
  await ask(STREAM, responder, report)
  const open = async (signal?: AbortSignal) => {
    const asked = { headers: ASKED, ...(signal && { signal }) }
    const response = await http.fetch(new Request(`http://any.example${STREAM}`, asked))
    const reader = response.body?.getReader()
    await reader?.read()
    return { status: response.status, leave: () => reader?.cancel() }
  }
  const leaving = new AbortController()
  expect((await open(leaving.signal)).status).toBe(200)
  await collectGarbage()
  leaving.abort()
  const next = await open()
  expect(next.status).toBe(200)
  await next.leave()
})
