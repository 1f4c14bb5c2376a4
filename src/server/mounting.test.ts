import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { defineAgent } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import { scriptedModel } from '../models/index.ts'
import { routes, serve } from './index.ts'
import type { Authenticate } from './index.ts'
import { app, byHeader, mounted, open, quiet, report, responder } from './mounted-routes.fixture.ts'

test('an error that is answered as 500 reaches the program that mounts the routes, with its cause', async () => {
  const told: unknown[] = []
  const authenticate = () => explode()
  const { ask } = await mounted({ authenticate, onFault: (error) => told.push(error) })
  await ask('/api/threads')
  expect(told).toMatchObject([
    { code: 'authenticate_failed', cause: { message: 'no such session' } },
  ])
})

test('[X7] an authenticate that says nothing is answered with 401', async () => {
  const { ask } = await mounted({ authenticate: () => undefined })
  const answer = await ask('/api/threads/t/state')
  expect(answer.status).toBe(401)
  expect(answer.body['detail']).toContain('you are not signed in, or you may not enter here')
})

const role = 'responder'

test.each<[string, () => unknown, string]>([
  ['throws', () => explode(), 'authenticate threw'],
  [
    'answers a text',
    () => 'sess-secret',
    'it is a string; give { role, actor?, surface?, context? }',
  ],
  ['answers a list', () => ['sess-secret'], 'it is a list; give'],
  ['answers no role', () => ({ user: 'sess-secret' }), 'role is missing; give a text'],
  ['answers null for the role', () => ({ role: null }), 'role is null; give a text'],
  [
    'answers an actor of another kind',
    () => ({ role, actor: 5 }),
    'actor is a number; give a text',
  ],
  ['answers an empty actor', () => ({ role, actor: '' }), 'actor is an empty text; give a text'],
  [
    'answers a list of surfaces',
    () => ({ role, surface: ['a'] }),
    'surface is a list; give a text',
  ],
  [
    'answers a text for a switch',
    () => ({ role, beginsAlone: 'no' }),
    'beginsAlone is a string; give true or false',
  ],
  [
    'names an unknown role',
    () => ({ role: 'sess-secret' }),
    'a role that no application declares; the roles are "responder", "auditor", "operator"',
  ],
  [
    'misspells a member',
    () => ({ role: 'auditor', actr: 'sess-secret' }),
    'it has an unknown "actr": did you mean "actor"?',
  ],
  ['answers a BigInt', () => 5n, 'it is a bigint; give'],
  ['answers a BigInt for the role', () => ({ role: 5n }), 'role is a bigint; give a text'],
  ['throws a BigInt', () => throwing(5n), 'authenticate threw'],
  [
    'answers a getter that throws',
    () => ({
      get role() {
        return throwing(new Error('sess-secret'))
      },
    }),
    'a caller that cannot be read',
  ],
  [
    'answers an object that inherits its role',
    () => Object.create({ role: 'operator' }) as unknown,
    'did not return a plain object',
  ],
  [
    'answers an instance of a class',
    () =>
      new (class Session {
        readonly role = 'operator'
      })(),
    'did not return a plain object',
  ],
])(
  '[X7] an authenticate that %s reports the fault to the program, and nothing of it to the sender',
  async (...[, answers, why]) => {
    const told: unknown[] = []
    const lines: string[] = []
    const { ask, throughline } = await mounted({
      authenticate: answers as Authenticate,
      onFault: (error) => told.push(error),
      logger: pino({}, { write: (line: string) => lines.push(line) }),
    })
    await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
    const { status, body } = await ask('/api/threads/t/state')
    expect([status, body['code']]).toEqual([500, 'authenticate_failed'])
    expect(body['detail']).toBe('Cannot tell who sends this: something went wrong on our side')
    expect(told).toMatchObject([{ message: expect.stringContaining(why) as string }])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: { code: 'authenticate_failed', message: expect.stringContaining(why) as string },
    })
    expect(JSON.stringify([body, lines, String(told[0])])).not.toContain('sess-secret')
  },
)

test('a session may have members of its own whose names are near those of a caller', async () => {
  const session = { roles: ['clerk'], rule: 1, factor: 'totp', sector: 'north', contexts: [] }
  const caller = { role: 'operator', actor: 'kim', context: {} }
  const { ask } = await mounted({ authenticate: () => ({ ...session, ...caller }) as never })
  expect((await ask('/api/threads')).status).toBe(200)
  const misspelt = await mounted({
    authenticate: () => ({ role: 'operator', acter: 'kim' }) as never,
  })
  expect(await misspelt.ask('/api/threads')).toMatchObject({ status: 500 })
})

test('[X21] a role that comes by the prototype of all objects is none', async () => {
  const { ask } = await mounted({ authenticate: (() => ({})) as never })
  Object.defineProperty(Object.prototype, 'role', { value: 'operator', configurable: true })
  try {
    expect((await ask('/api/threads')).status).toBe(500)
  } finally {
    Reflect.deleteProperty(Object.prototype, 'role')
  }
})

test.each(['/api/threads', '/api/threads/t/state', '/api/threads/new/events'])(
  '[X21] a role that no application declares is not echoed at %s',
  async (path) => {
    const { ask } = await mounted({ authenticate: () => ({ role: 'sess-secret' }) })
    const { status, body } = await ask(path, undefined, path.includes('new') ? report : undefined)
    expect([status, body['code']]).toEqual([500, 'authenticate_failed'])
    expect(JSON.stringify(body)).not.toContain('sess-secret')
  },
)

test('[X21] a thread of another application is answered like one that does not exist', async () => {
  const other = defineApp({
    name: 'payroll',
    opens: ['RUN_STARTED'],
    agents: [defineAgent({ name: 'clerk', model: scriptedModel(() => 'Done.') })],
    roles: { clerk: { read: 'all', run: 'all', begin: true } },
  })
  const { ask, throughline } = await mounted({}, [app, other])
  await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  const clerk = { role: 'clerk' }
  for (const path of ['state', 'events', 'export', 'verify']) {
    const theirs = await ask(`/api/threads/t/${path}`, clerk)
    expect(theirs).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(theirs).toEqual(await ask(`/api/threads/none/${path}`, clerk))
  }
  const run = { agent: 'clerk', input: 'Hi' }
  for (const [path, body] of [
    ['runs', run],
    ['events', report],
  ] as const) {
    const theirs = await ask(`/api/threads/t/${path}`, clerk, body)
    expect(theirs).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(JSON.stringify(theirs.body)).not.toContain('incidents')
  }
  const operator = await ask('/api/threads/t/runs', { role: 'operator' }, run)
  expect(operator).toMatchObject({ status: 404 })
})

test('[X21] the operator’s token lets in where a plain fetch carries the request', async () => {
  const operatorToken = 'o'.repeat(40)
  const http = routes(await open(), { operatorToken, ...quiet })
  const statuses = [operatorToken, 'x'.repeat(40)].map(async (token) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await http.fetch(new Request('http://any.example/api/threads', { headers }))).status
  })
  expect(await Promise.all(statuses)).toEqual([200, 401])
})

test('[X7] an authenticate that hangs is given up', async () => {
  const authenticate = () => new Promise<never>(() => undefined)
  const told: unknown[] = []
  const onFault = (error: unknown) => told.push(error)
  const { ask } = await mounted({ authenticate, authenticateMaxMs: 5, onFault })
  const answer = await ask('/api/threads')
  expect(answer).toMatchObject({ status: 500, body: { code: 'authenticate_failed' } })
  expect(told).toMatchObject([
    { message: expect.stringContaining('did not answer within 5 ms') as string },
  ])
})

test('[X7] nobody lists the threads without being known', async () => {
  const { ask } = await mounted()
  expect(await ask('/api/threads')).toMatchObject({ status: 401 })
  expect(await ask('/api/threads', responder)).toMatchObject({ status: 200 })
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
    tag: expect.any(String),
  })
  const after = String(first.body['next'])
  expect((await list(`reports=1&after=${after}`)).body).toEqual({
    threads: [{ thread: 'b', ...row }],
    tag: expect.any(String),
  })
  expect((await list('reports=2&reports=3')).body).toMatchObject({ threads: [{ thread: 'a' }] })
  for (const [query, status, code, detail] of [
    ['app=lamps', 404, 'unknown_app', 'there is "incidents"'],
    ['reprots=1', 400, 'invalid_query', 'declared: "reports"'],
    ['limit=0', 400, 'invalid_query', 'from 1 to 1000'],
    ['after=1&after=2', 400, 'invalid_query', 'is there twice'],
    ['after=x', 400, 'invalid_query', 'begin again without "after"'],
  ] as const) {
    const answer = await list(query)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body['detail']).toContain(detail)
  }
})

test.each(['/tl', '/api', '/api/tl'])(
  'routes with the prefix %s that are mounted under it again are reported, and hide no route beside them',
  async (prefix) => {
    const { hono } = routes(await open(), { authenticate: byHeader, prefix, ...quiet })
    const detailOf = async (site: Hono, path: string) => {
      const response = await site.request(path)
      return ((await response.json()) as { readonly detail: string }).detail
    }
    const twice = new Hono().route(prefix, hono)
    expect(await detailOf(twice, `${prefix}/api/threads`)).toBe(
      `There is no such page: these routes have the prefix "${prefix}" and are mounted under it too; leave one of the two out`,
    )
    const once = new Hono()
      .route('/', hono)
      .get('/api/mine', ({ json }) => json({ detail: 'mine' }))
    expect(await detailOf(once, '/api/mine')).toBe('mine')
    expect(await detailOf(once, `${prefix}/api/threads`)).toContain('you are not signed in')
    const based = new Hono().basePath(prefix)
    const { hono: plain } = routes(await open(), { authenticate: byHeader, ...quiet })
    based.route('/', plain)
    expect(await detailOf(based, `${prefix}/api/threads`)).toContain('you are not signed in')
  },
)

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

test('an answer that an extension passes on gets the same headers as ours', async () => {
  const origin = await serve(await open(), { port: 0, authenticate: byHeader, ...quiet })
  const extension = {
    mount: (hono: Hono) => void hono.get('/passed', () => fetch(`${origin.url}/api/health`)),
  }
  const { http } = await mounted({ extensions: [extension] })
  const answer = await http.fetch(new Request('http://any.example/passed'))
  expect(await answer.json()).toMatchObject({ status: 'ok' })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  await origin.close()
})

test('a server on a public address requires a way to know its callers', async () => {
  const throughline = await open()
  for (const operatorToken of [undefined, '', 'short']) {
    const given = operatorToken === undefined ? {} : { operatorToken }
    const serving = serve(throughline, { host: '0.0.0.0', port: 0, ...given })
    await expect(serving).rejects.toMatchObject({ code: 'open_to_all' })
  }
})

test('on loopback, without tokens, every caller is the operator', async () => {
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

function throwing(what: unknown): never {
  throw what
}

function explode(): never {
  throw new Error('no such session')
}
