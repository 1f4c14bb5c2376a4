import { Hono } from 'hono'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import { MemoryLog } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { routes, serve } from './index.ts'
import type { Authenticate, Caller, RoutesOptions } from './index.ts'

interface Incident {
  readonly reports: number
  readonly secret: string
}

const { event, domain } = defineDomain<Incident>()
const incidents = domain({
  name: 'incidents',
  initial: { reports: 0, secret: 'the key' },
  events: {
    reported: event({
      schema: z.object({ what: z.string() }),
      by: [{ source: 'ui' }],
      reduce: (state) => ({ ...state, reports: state.reports + 1 }),
    }),
    closed: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: (state) => state }),
  },
})

const payTools = {
  pay: { inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' },
}
const pays = defineAgent<Incident>({
  name: 'payer',
  model: scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Paid.' : { toolCalls: [{ name: 'pay', input: {} }] },
  ),
  tools: payTools,
})
const guards = defineAgent<Incident>({
  name: 'guard',
  surface: 'gate',
  model: pays.model,
  tools: payTools,
})
const greets = defineAgent<Incident>({
  name: 'greeter',
  surface: 'door',
  model: scriptedModel(() => 'Welcome.'),
})

const app = defineApp<Incident>({
  name: 'incidents',
  domain: incidents,
  agents: [pays, guards, greets],
  index: { reports: ({ reports }) => reports },
  roles: {
    responder: {
      read: {
        record: (record) => (record.type === 'closed' ? undefined : record),
        state: ({ reports }) => ({ reports }),
      },
      propose: ['reported'],
      run: 'all',
      begin: true,
      answer: true,
      cancel: true,
    },
    auditor: { read: 'all' },
  },
})

const opened: Throughline[] = []

afterEach(async () => {
  for (const throughline of opened.splice(0)) await throughline.close()
})

async function open(): Promise<Throughline> {
  const log = new MemoryLog({ hash: sha256, now: Date.now, id: uuidv7 })
  const throughline = await Throughline.start({
    log,
    apps: [app],
    now: Date.now,
    id: uuidv7,
    sha256,
  })
  opened.push(throughline)
  return throughline
}

/** A caller is what the header `caller` says, in JSON. */
const byHeader: Authenticate = (request) => {
  const caller = request.headers.get('caller')
  return caller === null ? undefined : (JSON.parse(caller) as Caller)
}

const quiet = { logger: pino({ level: 'silent' }) }

async function mounted(options: RoutesOptions = {}) {
  const throughline = await open()
  const http = routes(throughline, { authenticate: byHeader, ...quiet, ...options })
  const ask = async (
    ...[path, caller, body, headers]: readonly [string, unknown?, unknown?, Record<string, string>?]
  ) => {
    const response = await http.fetch(
      new Request(`http://any.example${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          ...headers,
          ...(caller === undefined ? {} : { caller: JSON.stringify(caller) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      }),
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { throughline, http, ask }
}

const responder = { role: 'responder', actor: 'ann' }
const closing = { events: [{ type: 'closed', data: {} }] }
const report = { events: [{ type: 'reported', data: { what: 'smoke' } }] }

test('a role begins a thread, and sees of it what it is shown; what it did names the person', async () => {
  const { ask } = await mounted()
  const begun = await ask('/api/threads/t/events', responder, report)
  expect(begun).toMatchObject({ status: 200, body: { refused: [], state: { reports: 1 } } })
  expect(begun.body['records']).toMatchObject([
    { origin: { source: 'ui', surface: 'responder', actor: 'ann' } },
  ])
  await ask(
    '/api/threads/t/events',
    { role: 'operator' },
    { events: [{ type: 'closed', data: {} }] },
  )
  const seen = await ask('/api/threads/t/events', responder)
  expect(seen.body).toMatchObject({ head: 1, records: [{ type: 'reported' }] })
  const { body: whole } = await ask('/api/threads/t/state', { role: 'auditor' })
  expect(whole).toMatchObject({ state: { reports: 1, secret: 'the key' } })
})

const auditor = { role: 'auditor' }

test.each([
  ['propose', 'events', auditor, report, '"auditor" may not propose "reported" in "incidents"'],
  ['propose all', 'events', responder, closing, 'it may only with "reported"'],
  ['ask', 'runs', auditor, { agent: 'payer', input: 'Pay' }, '"auditor" may not ask "payer"'],
  ['ask all', 'runs', responder, { agent: 'greeter', input: 'Hi' }, 'it talks with "door" alone'],
  ['answer', 'runs/r/resume', auditor, { values: {} }, 'may not answer what agents ask'],
  ['cancel', 'runs/r/cancel', auditor, {}, 'may not cancel runs'],
  ['forget', 'history/reset', responder, {}, 'only "operator" may'],
])('[X7] a role that may not %s is told so', async (...[, path, caller, body, why]) => {
  const { ask } = await mounted()
  await ask('/api/threads/t/events', responder, report)
  const answer = await ask(`/api/threads/t/${path}`, caller, body)
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(answer.body['detail']).toContain(why)
})

test('[X7] a role that may not begin finds no thread', async () => {
  const { ask, throughline } = await mounted()
  const answer = await ask('/api/threads/t/events', { role: 'auditor' }, report)
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await throughline.log.head('t')).toBe(-1)
})

test('an event that comes with a run is of the role’s surface, as one that comes alone', async () => {
  const { ask, throughline } = await mounted()
  const { events } = report
  const asked = { agent: 'payer', input: 'Pay', events }
  expect(await ask('/api/threads/t/runs', responder, asked)).toMatchObject({ status: 202 })
  for await (const records of throughline.log.read('t')) {
    const found = records.find(({ type }) => type === 'reported')
    expect(found?.origin).toMatchObject({ source: 'ui', surface: 'responder', actor: 'ann' })
  }
})

test('[X7] a question that is put on a surface is answered there', async () => {
  const { ask, throughline } = await mounted()
  const { result, run } = throughline.turn('t', { agent: 'guard', input: 'Open' })
  await result
  const values = { values: { approved: true } }
  const refused = await ask(`/api/threads/t/runs/${run}/resume`, responder, values)
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const gate = { role: 'responder', surface: 'gate' }
  expect(await ask(`/api/threads/t/runs/${run}/resume`, gate, values)).toMatchObject({
    status: 202,
  })
})

test('a key belongs to one person: another’s request under it is done as well', async () => {
  const { ask } = await mounted()
  const key = { 'idempotency-key': 'k' }
  const ann = await ask('/api/threads/t/events', responder, report, key)
  const bob = { role: 'responder', actor: 'bob' }
  const again = await ask('/api/threads/t/events', responder, report, key)
  const other = await ask('/api/threads/t/events', bob, report, key)
  expect(again.body).toEqual(ann.body)
  expect(other.body).toMatchObject({ state: { reports: 2 } })
})

test('an approval names who gave it', async () => {
  const { ask, throughline } = await mounted()
  const started = await ask('/api/threads/t/runs', responder, { agent: 'payer', input: 'Pay' })
  expect(started.status).toBe(202)
  const { runId } = started.body
  await expect
    .poll(async () => (await throughline.app(app).gate.snapshot('t')).pauses.waiting)
    .toHaveLength(1)
  const bob = { role: 'responder', actor: 'bob' }
  const given = await ask(`/api/threads/t/runs/${String(runId)}/resume`, bob, {
    values: { approved: true },
  })
  expect(given.status).toBe(202)
  const { body } = await ask('/api/threads/t/events', { role: 'auditor' })
  const records = body['records'] as { type: string; origin: { actor?: string } }[]
  const starts = records.filter(({ type }) => type === 'RUN_STARTED')
  expect(starts.map(({ origin }) => origin.actor)).toEqual([undefined, 'bob'])
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
