import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { routes, serve } from './index.ts'
import type { Authenticate, Caller } from './index.ts'
import { byHeader, mounted, open, quiet, report, responder } from './mounted-routes.fixture.ts'

test('what is answered as 500 reaches the program that mounts the routes, with its cause', async () => {
  const told: unknown[] = []
  const authenticate = () => explode()
  const { ask } = await mounted({ authenticate, onFault: (error) => told.push(error) })
  await ask('/api/threads')
  expect(told).toMatchObject([
    { code: 'authenticate_failed', cause: { message: 'no such session' } },
  ])
})

test.each<[string, Authenticate, number, string]>([
  ['says nothing', () => undefined, 401, 'nothing that says who sends it'],
  ['throws', () => explode(), 500, 'authenticate threw'],
  [
    'answers rubbish',
    () => 'ann' as unknown as Caller,
    500,
    'answered "ann"; it has to answer { role',
  ],
  [
    'names an unknown role',
    () => ({ role: 'ghost' }),
    500,
    'the role "ghost", which "incidents" does not',
  ],
])('[X7] an authenticate that %s is answered clearly', async (...[, authenticate, status, why]) => {
  const { ask, throughline } = await mounted({ authenticate })
  await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  const answer = await ask('/api/threads/t/state')
  expect(answer.status).toBe(status)
  expect(answer.body['detail']).toContain(why)
})

test('[X7] an authenticate that hangs is given up', async () => {
  const authenticate = () => new Promise<never>(() => undefined)
  const { ask } = await mounted({ authenticate, authenticateMaxMs: 5 })
  const answer = await ask('/api/threads')
  expect(answer).toMatchObject({ status: 500, body: { code: 'authenticate_failed' } })
  expect(answer.body['detail']).toContain('did not answer within 5 ms')
})

test('[X7] only an operator lists what is stored', async () => {
  const { ask } = await mounted()
  expect(await ask('/api/threads', responder)).toMatchObject({ status: 403 })
  expect(await ask('/api/threads', { role: 'operator' })).toMatchObject({ status: 200 })
})

test('the operator pages through threads by application and by declared values', async () => {
  const { ask, throughline } = await mounted()
  const report = (thread: string) =>
    throughline.propose(thread, [{ type: 'reported', data: { what: 'smoke' } }])
  for (const thread of ['a', 'b', 'c', 'a']) await report(thread)
  const list = async (query: string) => ask(`/api/threads?${query}`, { role: 'operator' })
  const row = { app: 'incidents', ts: expect.any(Number), head: 0, values: { reports: 1 } }
  const first = await list('app=incidents&reports=1&limit=1')
  expect(first.body).toEqual({
    threads: [{ thread: 'c', ...row }],
    next: expect.any(String),
  })
  const after = String(first.body['next'])
  expect((await list(`reports=1&after=${after}`)).body).toEqual({
    threads: [{ thread: 'b', ...row }],
  })
  expect((await list('reports=2&reports=3')).body).toMatchObject({ threads: [{ thread: 'a' }] })
  for (const [query, status, code, detail] of [
    ['app=lamps', 404, 'unknown_app', 'there is "incidents"'],
    ['reprots=1', 400, 'invalid_query', 'declared: "reports"'],
    ['limit=0', 400, 'invalid_query', 'from 1 to 1000'],
    ['after=1&after=2', 400, 'invalid_query', 'stands there twice'],
    ['after=x', 400, 'invalid_query', 'begin again without "after"'],
  ] as const) {
    const answer = await list(query)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body['detail']).toContain(detail)
  }
})

test('the routes lie under a prefix in a Hono application, and in a fetch handler that names it', async () => {
  const { http, throughline } = await mounted()
  const outer = new Hono().route('/tl', http.hono)
  expect((await outer.request('http://any.example/tl/api/health')).status).toBe(200)
  const handler = routes(throughline, { authenticate: byHeader, prefix: '/api/tl', ...quiet })
  const health = await handler.fetch(new Request('http://any.example/api/tl/api/health'))
  expect(await health.json()).toMatchObject({ status: 'ok' })
  const missing = await http.fetch(new Request('http://any.example/api/tl/api/health'))
  expect(await missing.json()).toMatchObject({
    status: 404,
    detail: expect.stringContaining('give routes the prefix "/api/tl"'),
  })
})

test('nobody serves to all the world without saying who is who', async () => {
  const throughline = await open()
  const serving = serve(throughline, { host: '0.0.0.0', port: 0 })
  await expect(serving).rejects.toMatchObject({ code: 'open_to_all' })
})

test('on loopback, without tokens, whoever asks is the operator', async () => {
  const throughline = await open()
  const server = await serve(throughline, { port: 0, ...quiet })
  const response = await fetch(`${server.url}/api/threads/t/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(report),
  })
  expect(await response.json()).toMatchObject({ state: { reports: 1, secret: 'the key' } })
  await server.close()
})

function explode(): never {
  throw new Error('no such session')
}
