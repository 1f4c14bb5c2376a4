import { SignJWT } from 'jose'
import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Tokens } from '../index.ts'
import { CALLER_AGENTS_MAX, CALLER_LIFETIME_S_MAX, SUBJECT_CHARS_MAX } from './tokens.ts'
import { OPERATOR_TOKEN, bearer, guarded, serveCallers } from '../callers.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

const ann = { subject: 'ann', agents: ['clerk', 'payer'] }

test('the operator issues a caller token, and its bearer begins a thread with a named agent', async () => {
  const { call, run, log } = await serveCallers(guarded)
  const issued = await call('/api/tokens', {
    token: OPERATOR_TOKEN,
    body: { ...ann, agents: ['clerk', 'clerk'], expiresInS: 60 },
  })
  expect(issued.status).toBe(201)
  expect(issued.body).toMatchObject({ subject: 'ann', agents: ['clerk'] })
  const lasts = Date.parse(String(issued.body['expiresAt'])) - Date.now()
  expect(lasts).toBeGreaterThan(50_000)
  expect(lasts).toBeLessThanOrEqual(60_000)
  const thread = randomUUID()
  expect((await run(thread, String(issued.body['token']), 'clerk')).status).toBe(202)
  const [first] = await recordsOf(log, thread)
  expect(first).toMatchObject({ type: 'RUN_STARTED', origin: { actor: 'ann' } })
})

test('[X7] only the operator issues and revokes caller tokens', async () => {
  const { call, issue } = await serveCallers(guarded)
  const { token, id } = await issue(ann)
  for (const [path, body] of [
    ['/api/tokens', ann],
    ['/api/tokens/revoke', { id }],
  ] as const) {
    expect((await call(path, { body })).status).toBe(401)
    expect((await call(path, { body, token })).status).toBe(401)
    expect((await call(path, { body, token: 'a.b.c' })).status).toBe(401)
  }
  for (const path of ['/api/agents/served', '/api/verify']) {
    expect((await call(path, { token })).status).toBe(401)
  }
})

test('a token names agents with which threads begin, and the refusal lists them', async () => {
  const { call } = await serveCallers(guarded)
  for (const name of ['nobody', 'customer', '__proto__']) {
    const body = { subject: 'ann', agents: ['clerk', name] }
    const refused = await call('/api/tokens', { token: OPERATOR_TOKEN, body })
    expect(refused.status).toBe(400)
    expect(refused.body['agents']).toEqual(['clerk', 'payer', 'seller'])
    expect(refused.body['detail']).toBe(
      `Cannot issue a token: no thread begins with "${name}"; give "clerk", "payer", "seller"`,
    )
  }
})

test.each([
  ['no subject', { agents: ['clerk'] }],
  ['an empty subject', { ...ann, subject: '' }],
  ['a subject that is too long', { ...ann, subject: 'x'.repeat(SUBJECT_CHARS_MAX + 1) }],
  ['a line break in the subject', { ...ann, subject: 'ann\nbob' }],
  ['half a character in the subject', { ...ann, subject: 'ann\ud800' }],
  ['no agents', { ...ann, agents: [] }],
  ['too many agents', { ...ann, agents: Array(CALLER_AGENTS_MAX + 1).fill('clerk') }],
  ['a lifetime of 0', { ...ann, expiresInS: 0 }],
  ['a lifetime that is too long', { ...ann, expiresInS: CALLER_LIFETIME_S_MAX + 1 }],
  ['a lifetime that is no number', { ...ann, expiresInS: '60' }],
  ['an unknown member', { ...ann, role: 'operator' }],
])('a caller token with %s is not issued', async (_what, body) => {
  const { call } = await serveCallers(guarded)
  const refused = await call('/api/tokens', { token: OPERATOR_TOKEN, body })
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_body' } })
})

test('[E8] a revoked caller token opens nothing, and its open stream ends', async () => {
  const { call, issue, run, url } = await serveCallers(guarded)
  const [lost, kept] = [await issue(ann), await issue(ann)]
  const thread = randomUUID()
  await run(thread, lost.token, 'clerk')
  const stream = await fetch(`${url}/api/threads/${thread}/events`, {
    headers: { ...bearer(lost.token), accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(200)
  const ended = stream.text().then(String, String)
  const body = { id: lost.id }
  const revoked = await call('/api/tokens/revoke', { token: OPERATOR_TOKEN, body })
  expect(revoked).toMatchObject({
    status: 200,
    body: { revoked: { role: 'caller', token: lost.id } },
  })
  await ended
  const again = await call('/api/tokens/revoke', { token: OPERATOR_TOKEN, body })
  expect(again.body).toEqual(revoked.body)
  const path = `/api/threads/${thread}/events`
  expect((await call(path, { token: lost.token })).status).toBe(401)
  expect((await run(randomUUID(), lost.token, 'clerk')).status).toBe(401)
  expect((await call('/agui/asked/info', { token: lost.token })).status).toBe(401)
  expect((await call(path, { token: kept.token })).status).toBe(200)
  const odd = await call('/api/tokens/revoke', { token: OPERATOR_TOKEN, body: { id: 'x' } })
  expect(odd.status).toBe(400)
})

test('[X6] a forged, expired or foreign caller token opens nothing', async () => {
  const { call, issue, run, tokens } = await serveCallers(guarded)
  const { token, id } = await issue(ann)
  const thread = randomUUID()
  await run(thread, token, 'clerk')
  const expired = await tokens.issueCaller(ann, -1)
  const elsewhere = await new Tokens(['another secret']).issueCaller(ann, 60)
  const inThread = await tokens.issue({ thread, role: 'caller', generation: 0 })
  const session = await tokens.issueSession('bound')
  const [head = '', , signature = ''] = token.split('.')
  const claims = { sub: 'ann', jti: id, iat: 1, exp: 9_999_999_999, agents: ['clerk', 'payer'] }
  const other = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
  const forged = [
    expired.token,
    elsewhere.token,
    inThread.token,
    session.token,
    `${head}.${other}.${signature}`,
    `${unsigned}.${other}.`,
    await signed({ ...claims, agents: 'clerk' }, 'caller'),
    await signed({ ...claims, agents: [7] }, 'caller'),
    await signed({ ...claims, exp: undefined }, 'caller'),
    await signed(claims, 'token'),
  ]
  for (const one of forged) {
    const answer = await call(`/api/threads/${thread}/events`, { token: one })
    expect([401, 404, 429]).toContain(answer.status)
  }
  expect((await call(`/api/threads/${thread}/events`, { token })).status).toBe(200)
})

function signed(claims: Record<string, unknown>, purpose: string): Promise<string> {
  const key = createHash('sha256').update(`throughline:${purpose}:a secret`).digest()
  const given = Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== undefined),
  )
  return new SignJWT(given).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
}

test('[X7] on open loopback a caller token keeps its bounds, and a revoked one is refused', async () => {
  const { call, run } = await serveCallers()
  const issue = async (subject: string) => {
    const { body } = await call('/api/tokens', { body: { ...ann, subject } })
    return { token: String(body['token']), id: String(body['id']) }
  }
  const [mine, others] = [await issue('ann'), await issue('bob')]
  const thread = randomUUID()
  await run(thread, mine.token, 'clerk')
  const path = `/api/threads/${thread}/events`
  expect((await call(path, { token: others.token })).status).toBe(404)
  expect((await call('/api/threads', { token: others.token })).body).toMatchObject({ threads: [] })
  expect((await call('/api/threads', { token: mine.token })).body).toMatchObject({
    threads: [{ thread }],
  })
  expect((await call(path)).status).toBe(200)
  await call('/api/tokens/revoke', { body: { id: mine.id } })
  expect((await call(path, { token: mine.token })).status).toBe(401)
})

test('who sends a request is known apart from any thread, with the agents of a caller', async () => {
  const { call, issue, tokens } = await serveCallers(guarded)
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  const info = async (given?: string) =>
    (await call('/agui/asked/info', given === undefined ? {} : { token: given })).body
  expect(await info(token)).toEqual({ role: 'caller', agents: ['clerk'] })
  expect(await info(OPERATOR_TOKEN)).toEqual({ role: 'operator' })
  const customer = await tokens.issue({ thread: 't', role: 'customer', generation: 0 })
  expect(await info(customer.token)).toEqual({ role: 'customer' })
  for (const given of [undefined, 'a.b.c']) {
    expect(await info(given)).toMatchObject({ code: 'unauthenticated' })
  }
})
