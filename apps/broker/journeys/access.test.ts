import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { SignJWT } from 'jose'
import { Tokens } from 'throughline/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey } from './journey.fixture.ts'
import { SECRET, request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'

let broker: ServedBroker
let journey: Journey

beforeAll(async () => {
  broker = await serveBroker()
  journey = await Journey.start(broker)
})

afterAll(() => broker.close())

const stateUrl = () => `${broker.url}/api/threads/${journey.sessionId}/state`

async function exchange(token: string) {
  const response = await fetch(`${broker.url}/api/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return { response, cookie: response.headers.get('set-cookie') ?? '' }
}

test('a token is exchanged for a cookie that scripts cannot read and other sites cannot send', async () => {
  const { response, cookie } = await exchange(journey.tokens.customer)
  expect(await response.json()).toEqual({ thread: journey.sessionId, role: 'customer' })
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  expect((await request(stateUrl(), { headers })).status).toBe(200)
})

test('with the cookies of several roles the page says which one it acts in', async () => {
  const roles = ['installer', 'customer', 'auditor'] as const
  const cookies = await Promise.all(roles.map((role) => exchange(journey.tokens[role])))
  const cookie = cookies.map((each) => each.cookie.split(';')[0]).join('; ')
  const keys = async (role: string) => {
    const { body } = await request(stateUrl(), { headers: { cookie, 'throughline-role': role } })
    return Object.keys(body['state'] as object)
  }
  expect(await keys('installer')).not.toContain('financial')
  expect(await keys('customer')).toContain('financial')
  const run = await request(`${broker.url}/api/threads/${journey.sessionId}/runs`, {
    headers: { cookie, 'throughline-role': 'customer' },
    body: { agent: 'installer', events: [] },
  })
  expect(run.status).toBe(403)
})

test('[X6] a token that is mutated anywhere is not accepted', async () => {
  const { customer } = journey.tokens
  const mutated = Array.from({ length: customer.length }, (_, at) => {
    const other = customer[at] === 'A' ? 'B' : 'A'
    return customer.slice(0, at) + other + customer.slice(at + 1)
  })
  // The last character of a signature carries bits that decoding drops: another one may mean the same.
  for (const token of mutated.slice(0, -1)) {
    const { response } = await exchange(token)
    expect([token, response.status]).toEqual([token, 401])
  }
})

test('[X6] a token without a signature, or signed with the bare secret, is not accepted', async () => {
  const claims = { sub: journey.sessionId, role: 'auditor', gen: 0 }
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`
  const foreign = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET))
  for (const token of [unsigned, foreign]) expect((await exchange(token)).response.status).toBe(401)
})

test('the cookies of many cases do not shut the browser out', async () => {
  const jar = new Map<string, string>()
  for (let n = 0; n < 70; n++) {
    const grant = { thread: `case-${n}`, role: 'installer', generation: 0 } as const
    const { token } = await new Tokens([SECRET]).issue(grant)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${broker.url}/api/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ token }),
    })
    expect(response.status).toBe(200)
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
  }
  expect([...jar.keys()].at(-1)).toContain('case-69')
})

test('a name that was rebound to this machine is not served', async () => {
  const { hostname, port } = new URL(broker.url)
  const asked = httpRequest({
    hostname,
    port,
    path: '/api/health',
    headers: { host: 'evil.example' },
  })
  const [response] = (await once(asked.end(), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(403)
  response.resume()
})

test('without an operator’s token listing is open on loopback, and pages through', async () => {
  const first = await request(`${broker.url}/api/threads?limit=1`)
  expect(first.body['threads']).toHaveLength(1)
  expect((await request(`${broker.url}/api/threads?limit=0`)).status).toBe(400)
})

test('with an operator’s token creating and listing need it, and it opens every case', async () => {
  const guarded = await serveBroker({ operatorToken: 'sesame' })
  const create = (token?: string) =>
    request(`${guarded.url}/api/session`, { body: {}, ...(token ? { token } : {}) })
  expect((await create()).status).toBe(401)
  expect((await create('wrong!')).status).toBe(401)
  const { status, body } = await create('sesame')
  expect(status).toBe(201)
  expect((await request(`${guarded.url}/api/threads`)).status).toBe(401)
  const url = `${guarded.url}/api/threads/${String(body['sessionId'])}/state`
  expect((await request(url, { token: 'sesame' })).status).toBe(200)
  await guarded.close()
})

test('a server with another secret knows neither the tokens nor the seeds of this one', async () => {
  const stranger = await serveBroker({ secrets: ['another secret'], log: broker.log })
  const url = `${stranger.url}/api/threads/${journey.sessionId}/state`
  expect((await request(url, { token: journey.tokens.customer })).status).toBe(401)
  await stranger.close()
})
