import { SignJWT } from 'jose'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { subscribe } from 'throughline/client'
import type { ThreadUpdate } from 'throughline/client'
import { Tokens } from 'throughline/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  SECRET as BROKER_SECRET,
  request,
} from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { Answered } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { emptyFolder, startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { serveCase, serveOffice } from './served-threads.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

/** The promise: an open stream is closed this soon after its token was revoked. */
const CLOSED_MAX_MS = 5_000
const SECRET = 'a secret of this test that is long enough'
const OPERATOR_TOKEN = 'the-operators-own-token-for-this-test'

let DATA_DIR = ''
let server: ServerProcess

beforeAll(async () => {
  DATA_DIR = await emptyFolder()
  server = await startServer({ DATA_DIR, SECRET, OPERATOR_TOKEN })
})
afterAll(async () => void (await server.end('SIGKILL')))

const asOperator = (path: string, body: unknown): Promise<Answered> =>
  request(`${server.url}${path}`, { token: OPERATOR_TOKEN, body })

interface Case {
  readonly thread: string
  readonly path: string
  readonly tokens: Readonly<Record<'installer' | 'customer' | 'auditor', string>>
}

async function newCase(): Promise<Case> {
  const { body } = await asOperator('/api/session', {})
  const thread = String(body['sessionId'])
  const tokens = body['tokens'] as unknown as Case['tokens']
  return { thread, path: `/api/threads/${thread}`, tokens }
}

/** Follows a thread, and reports its connection. */
function follow({ path }: Case, token: string) {
  const updates = subscribe({
    url: `${server.url}${path}/events`,
    headers: () => ({ authorization: `Bearer ${token}` }),
    random: () => 0,
  })
  const seen: ThreadUpdate[] = []
  const read = async (): Promise<void> => {
    for await (const update of updates) seen.push(update)
  }
  void read()
  const status = (): string => {
    const last = seen.findLast((update) => update.type === 'status')
    return last && 'error' in last
      ? `${last.status} ${last.error.problem?.status}`
      : `${last?.status}`
  }
  return { status, stop: () => void updates.return?.() }
}

const until = (status: () => string) =>
  expect.poll(status, { timeout: CLOSED_MAX_MS, interval: 20 })

test('[E8] a revoked token ends its open stream and opens nothing any more, and no other token is touched', async ({
  annotate,
}) => {
  const here = await newCase()
  const { body: second } = await asOperator(`${here.path}/tokens`, { role: 'customer' })
  const lost = follow(here, here.tokens.customer)
  const kept = [
    follow(here, String(second['token'])),
    follow(here, here.tokens.installer),
    follow(here, here.tokens.auditor),
  ]
  for (const { status } of [lost, ...kept]) await until(status).toBe('live')
  const since = performance.now()
  const revoked = await asOperator(`${here.path}/tokens/revoke`, { token: here.tokens.customer })
  expect(revoked).toMatchObject({ status: 200, body: { revoked: { role: 'customer' } } })
  await until(lost.status).toBe('refused 401')
  const ms = performance.now() - since
  expect(kept.map(({ status }) => status())).toEqual(['live', 'live', 'live'])
  for (const path of ['/events', '/state', '/export', '/verify']) {
    const token = here.tokens.customer
    expect((await request(`${server.url}${here.path}${path}`, { token })).status, path).toBe(401)
  }
  const exchange = { body: { token: here.tokens.customer } }
  expect((await request(`${server.url}/api/token`, exchange)).status).toBe(401)
  for (const { stop } of kept) stop()
  await annotate(`an open stream ended ${Math.ceil(ms)} ms after its token was revoked`, 'promise')
})

test('[E8] revoking a role ends every stream of it; a stream with a later token stays', async ({
  annotate,
}) => {
  const here = await newCase()
  const others = await Promise.all(
    [0, 1, 2].map(() => asOperator(`${here.path}/tokens`, { role: 'customer' })),
  )
  const all = [here.tokens.customer, ...others.map(({ body }) => String(body['token']))]
  const lost = all.map((token) => follow(here, token))
  const installer = follow(here, here.tokens.installer)
  for (const { status } of [...lost, installer]) await until(status).toBe('live')
  await asOperator(`${here.path}/tokens/revoke`, { role: 'customer' })
  for (const { status } of lost) await until(status).toBe('refused 401')
  const { body } = await asOperator(`${here.path}/tokens`, { role: 'customer' })
  const fresh = follow(here, String(body['token']))
  await until(fresh.status).toBe('live')
  expect(installer.status()).toBe('live')
  const ended = lost.filter(({ status }) => status() === 'refused 401').length
  for (const { stop } of [fresh, installer]) stop()
  await annotate(`${ended} of ${lost.length} open streams of a revoked role ended`, 'promise')
})

test('[E8] a revocation is on record: the auditor reads it, and a killed server still knows it', async () => {
  const here = await newCase()
  await asOperator(`${here.path}/tokens/revoke`, { token: here.tokens.customer })
  await asOperator(`${here.path}/tokens/revoke`, { role: 'installer' })
  await server.end('SIGKILL')
  server = await startServer({ DATA_DIR, SECRET, OPERATOR_TOKEN })
  const url = `${server.url}${here.path}`
  for (const token of [here.tokens.customer, here.tokens.installer])
    expect((await request(`${url}/events`, { token })).status).toBe(401)
  const { status, body } = await request(`${url}/events`, { token: here.tokens.auditor })
  expect(status).toBe(200)
  const records = body['records'] as unknown as { type: string; data: object; origin: object }[]
  const revocations = records.filter(({ type }) => type === 'token_revoked')
  expect(revocations.map(({ data }) => data)).toMatchObject([
    { role: 'customer' },
    { role: 'installer' },
  ])
  expect(revocations[0]?.origin).toMatchObject({ source: 'ui', surface: 'operator' })
  const checked = await request(`${url}/verify`, { token: here.tokens.auditor })
  expect(checked.body).toMatchObject({ ok: true })
  expect(JSON.stringify(records)).not.toContain(here.tokens.customer)
})

test('[E8] a stream ends when its token expires', async ({ annotate }) => {
  const here = await newCase()
  const now = Date.now() / 1_000
  const token = await new SignJWT({ role: 'customer', gen: 0 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(here.thread)
    .setJti('brief')
    .setIssuedAt(now)
    .setExpirationTime(now + 1.5)
    .sign(createHash('sha256').update(`throughline:token:${SECRET}`).digest())
  const { status } = follow(here, token)
  await until(status).toBe('live')
  await until(status).toBe('refused 401')
  const ms = Date.now() - (now + 1.5) * 1_000
  await annotate(`an open stream ended ${Math.ceil(ms)} ms after its token expired`, 'promise')
})

test('[E8] a reader that takes nothing any more is cut off all the same', async ({ annotate }) => {
  const log = memoryLog()
  const here = await testBroker({ log, operatorToken: OPERATOR_TOKEN })
  const created = { sessionId: 'c', retailerName: 'Solar' }
  await log.append('c', [{ type: 'case_created', data: created }])
  const grant = { thread: 'c', role: 'auditor', generation: 0 } as const
  const { token } = await new Tokens([BROKER_SECRET]).issue(grant)
  const path = `${here.url}/api/threads/c`
  const asked = httpRequest(`${path}/events`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    agent: false,
  }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const notes = Array.from({ length: 60 }, (_, at) => `${at} ${'x'.repeat(200_000)}`)
  // Unread bytes fill the kernel's buffers, some megabytes of them.
  // An auditor reads the names of retailers as they are stored.
  const noted = (retailerName: string) => [{ type: 'record_project_facts', data: { retailerName } }]
  for (const note of notes) await log.append('c', noted(note))
  const revoked = await request(`${path}/tokens/revoke`, { token: OPERATOR_TOKEN, body: { token } })
  expect(revoked.status).toBe(200)
  await log.append('c', noted('after the revocation'))
  let text = ''
  // A stream that was not cut off would go on for ever.
  for await (const bytes of response) text += String(bytes)
  expect(text).not.toContain('after the revocation')
  const arrived = text.match(/^id: /gm)?.length ?? 0
  expect(arrived).toBeLessThan(notes.length)
  await annotate(
    `an unread stream ended with ${arrived} of ${notes.length} records on the wire`,
    'promise',
  )
})

test('[E8] only a token of this thread is revoked', async () => {
  const here = await newCase()
  const elsewhere = await newCase()
  const refused: readonly (readonly [string, unknown, number])[] = [
    [here.path, { token: elsewhere.tokens.customer }, 404],
    [here.path, { token: 'forged' }, 404],
    [here.path, { role: 'operator' }, 400],
    [here.path, { role: 'customer', token: here.tokens.customer }, 400],
    [here.path, {}, 400],
    ['/api/threads/unheard-of', { role: 'customer' }, 404],
  ]
  for (const [path, body, status] of refused)
    expect((await asOperator(`${path}/tokens/revoke`, body)).status, JSON.stringify(body)).toBe(
      status,
    )
  const alive = await request(`${server.url}${here.path}/events`, { token: here.tokens.customer })
  expect(alive.status).toBe(200)
})

test('[E8] on an open loopback every caller may revoke and create, but none gets a token by asking', async () => {
  const { origin, busy, token } = await serveCase()
  const path = `${origin}/api/threads/${busy.thread}`
  expect((await request(`${path}/tokens`, { body: { role: 'customer' } })).status).toBe(401)
  expect((await request(`${path}/tokens`, { token, body: { role: 'customer' } })).status).toBe(404)
  expect((await request(`${path}/events`, { token })).status).toBe(200)
  const revoked = await request(`${path}/tokens/revoke`, { body: { role: 'customer' } })
  expect(revoked).toMatchObject({ status: 200, body: { seq: 1 } })
  expect((await request(`${path}/events`, { token })).status).toBe(401)
  const office = await serveOffice()
  const agents = `${office.origin}/api/threads/${office.busy.thread}/tokens/revoke`
  expect((await request(agents, { body: { role: 'customer' } })).status).toBe(404)
})
