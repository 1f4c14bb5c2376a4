import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { openLog } from 'throughline/log'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker, Setting } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { OPERATOR_SESSION_LIFETIME_S } from '../../src/server/access/tokens.ts'
import { newFolder } from '../folders.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const OPERATOR_TOKEN = 'the-token-of-the-operator-of-this-test'
const PUBLIC_URL = 'https://loans.example'
const ROLES = ['installer', 'customer', 'auditor'] as const

afterEach(() => vi.useRealTimers())

const served = (setting: Setting = {}) => testBroker({ operatorToken: OPERATOR_TOKEN, ...setting })

interface Asked {
  readonly method?: string
  readonly token?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks as a proxy would: with whatever `Host` and forwarded headers it sends. */
async function ask({ url }: ServedBroker, path: string, asked: Asked = {}) {
  const { token, body, headers } = asked
  const { method = body ? 'POST' : 'GET' } = asked
  const sent = httpRequest(`${url}${path}`, {
    method,
    agent: false,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
  }).end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const bytes of response) text += String(bytes)
  return { status: response.statusCode, text, cookies: response.headers['set-cookie'] ?? [] }
}

const exchange = (broker: ServedBroker, token: string, headers: Asked['headers'] = {}) =>
  ask(broker, '/api/token', { body: { token }, headers })

async function newCase(broker: ServedBroker) {
  const { text } = await ask(broker, '/api/session', { token: OPERATOR_TOKEN, body: {} })
  return JSON.parse(text) as {
    sessionId: string
    tokens: Record<(typeof ROLES)[number], string>
    links: Record<string, string>
  }
}

/** Every way to get a cookie: each role, the operator, the eviction of an old one, signing out. */
async function allCookies(broker: ServedBroker, headers: Asked['headers']) {
  const { tokens } = await newCase(broker)
  const carried = [...Object.values(tokens), OPERATOR_TOKEN]
  const set = []
  for (const token of carried) set.push(...(await exchange(broker, token, headers)).cookies)
  const [, operator = ''] = /^([^=]+=[^;]+);/.exec(set.at(-1) ?? '') ?? []
  const prefix = operator.slice(0, operator.indexOf('throughline-'))
  const old = Array.from({ length: 40 }, (_, at) => `${prefix}throughline-customer-${at}=x`)
  const full = { ...headers, cookie: [...old, operator].join('; ') }
  set.push(...(await exchange(broker, tokens.customer, full)).cookies)
  const out = { method: 'DELETE', headers: { ...headers, cookie: operator } }
  set.push(...(await ask(broker, '/api/token', out)).cookies)
  return set
}

function holdsOperatorToken(cookie: string): boolean {
  const value = decodeURIComponent(/=([^;]*)/.exec(cookie)?.[1] ?? '')
  const digest = createHash('sha256').update(OPERATOR_TOKEN)
  const forms = [OPERATOR_TOKEN, digest.copy().digest('hex'), digest.digest('base64url')]
  const read = [value, ...value.split('.').map((part) => Buffer.from(part, 'base64url').toString())]
  return read.some((text) => forms.some((form) => text.includes(form)))
}

const FORWARDED = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'loans.example',
  forwarded: 'proto=https;host=loans.example',
}

test('[X16] behind PUBLIC_URL every cookie is a __Host- cookie, and none holds the operator’s token', async ({
  annotate,
}) => {
  const broker = await served({ publicUrl: PUBLIC_URL })
  const cookies = [
    ...(await allCookies(broker, { host: 'loans.example' })),
    ...(await allCookies(broker, { host: 'loans.example:443', ...FORWARDED })),
    // Proxies that do not pass the name on ask for the address that they connect to.
    ...(await allCookies(broker, { 'x-forwarded-proto': 'http' })),
  ]
  const bad = cookies.filter(
    (cookie) =>
      !cookie.startsWith('__Host-') ||
      !['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/'].every((part) =>
        cookie.split('; ').includes(part),
      ) ||
      /domain/i.test(cookie),
  )
  expect(bad).toEqual([])
  const telling = cookies.filter(holdsOperatorToken)
  expect(telling).toEqual([])
  expect(cookies.length).toBeGreaterThan(40)
  await annotate(
    `${bad.length} of ${cookies.length} cookies are not __Host-, ${telling.length} hold the operator's token`,
    'promise',
  )
})

test('[X16] on loopback without PUBLIC_URL cookies have plain names, whatever is forwarded', async () => {
  const broker = await served()
  const cookies = [...(await allCookies(broker, {})), ...(await allCookies(broker, FORWARDED))]
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^(throughline-|browser-of-throughline=)/)
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toMatch(/domain|secure/i)
    expect(holdsOperatorToken(cookie)).toBe(false)
  }
  // Over plain HTTP under another name a browser would send a plain cookie in the clear.
  const elsewhere = await allCookies(broker, { host: 'loans.example' })
  expect(elsewhere.filter((cookie) => !cookie.startsWith('__Host-'))).toEqual([])
})

test('[X16] a plain cookie is not taken where cookies come over TLS', async () => {
  const broker = await served({ publicUrl: PUBLIC_URL })
  const { sessionId, tokens } = await newCase(broker)
  const state = (prefix: string) =>
    ask(broker, `/api/threads/${sessionId}/state`, {
      headers: { cookie: `${prefix}throughline-customer-${sessionId}=${tokens.customer}` },
    })
  expect((await state('__Host-')).status).toBe(200)
  expect((await state('')).status).toBe(401)
})

test('[X16] links lead to PUBLIC_URL, and without it they are paths', async () => {
  const broker = await served({ publicUrl: PUBLIC_URL })
  const { sessionId, links } = await newCase(broker)
  expect(links['customer']).toMatch(`${PUBLIC_URL}/customer/${sessionId}#token=`)
  expect(links['audit']).toMatch(`${PUBLIC_URL}/audit/${sessionId}#token=`)
  const open = await testBroker({ publicUrl: 'http://localhost:3000' })
  const journey = await caseAfter(open)
  const url = `${open.url}/api/session/${journey.sessionId}/customer-link`
  const { body } = await request(url, { token: journey.tokens.installer })
  expect(body['customerLink']).toMatch(/^http:\/\/localhost:3000\/customer\//)
})

test('[X16] behind PUBLIC_URL its host and loopback are served, its origin is trusted, others are not', async () => {
  const broker = await served({ publicUrl: PUBLIC_URL })
  const status = async (headers: Readonly<Record<string, string>>) =>
    (await exchange(broker, OPERATOR_TOKEN, headers)).status
  const own = new URL(broker.url).host
  const port = own.split(':')[1]
  expect(await status({ host: 'loans.example', origin: PUBLIC_URL })).toBe(200)
  expect(await status({ origin: PUBLIC_URL })).toBe(200)
  expect(await status({ host: own, origin: `http://${own}` })).toBe(200)
  expect(await status({ host: `localhost:${port}` })).toBe(200)
  for (const headers of [
    { host: 'evil.example' },
    { host: 'evil.example', 'x-forwarded-host': 'loans.example' },
    { host: 'loans.example.evil.example' },
    { host: 'loans.example', origin: 'http://loans.example' },
    { host: 'loans.example', origin: 'https://loans.example:8443' },
    { host: 'loans.example', origin: 'https://evil.example' },
    { host: 'loans.example', origin: `http://${own}` },
  ]) {
    expect([headers, await status(headers)]).toEqual([headers, 403])
  }
})

async function signedIn(broker: ServedBroker): Promise<string> {
  const { cookies } = await exchange(broker, OPERATOR_TOKEN)
  return /^([^;]+)/.exec(cookies[0] ?? '')?.[1] ?? ''
}

const listing = (broker: ServedBroker, cookie: string) =>
  ask(broker, '/api/threads', { headers: { cookie } }).then(({ status }) => status)

test('[X16] the operator’s session opens what the token opens, until it is signed out, for good', async () => {
  const url = `sqlite:${join(newFolder(), 'throughline.db')}`
  const log = await openLog(url)
  const broker = await testBroker({ operatorToken: OPERATOR_TOKEN, log })
  const [cookie, other] = [await signedIn(broker), await signedIn(broker)]
  expect(cookie).not.toBe(other)
  expect(await listing(broker, cookie)).toBe(200)
  const out = await ask(broker, '/api/token', { method: 'DELETE', headers: { cookie } })
  expect([out.status, out.text]).toEqual([200, '{"signedOut":true}'])
  expect(out.cookies[0]).toMatch(/^throughline-operator=; Max-Age=0; Path=\//)
  expect(await listing(broker, cookie)).toBe(401)
  expect(await listing(broker, other)).toBe(200)
  await broker.close()
  await log.close()
  const reopened = await openLog(url)
  onTestFinished(() => reopened.close())
  const restarted = await served({ log: reopened })
  expect(await listing(restarted, cookie)).toBe(401)
  expect(await listing(restarted, other)).toBe(200)
})

test('[X16] the operator’s session ends with its time, its token and its store', async () => {
  const broker = await served()
  const cookie = await signedIn(broker)
  const renewed = await served({ log: broker.log, operatorToken: `${OPERATOR_TOKEN}-renewed` })
  expect(await listing(renewed, cookie)).toBe(401)
  // An empty store does not know who signed out.
  expect(await listing(await served(), cookie)).toBe(401)
  expect(await listing(broker, cookie.slice(0, -4))).toBe(401)
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + (OPERATOR_SESSION_LIFETIME_S - 60) * 1_000)
  expect(await listing(broker, cookie)).toBe(200)
  vi.setSystemTime(Date.now() + 61_000)
  expect(await listing(broker, cookie)).toBe(401)
})

test('[X16] signing out ends the session’s open streams', async () => {
  const broker = await served()
  const { sessionId } = await newCase(broker)
  const [cookie, other] = [await signedIn(broker), await signedIn(broker)]
  const open = async (held: string) => {
    const headers = { cookie: held, accept: 'text/event-stream' }
    const response = await fetch(`${broker.url}/api/threads/${sessionId}/events`, { headers })
    return response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  }
  const [ends, stays] = [await open(cookie), await open(other)]
  await ask(broker, '/api/token', { method: 'DELETE', headers: { cookie } })
  // A stream that goes on never says that it is done.
  for (let done: boolean | undefined = false; !done;) ({ done } = await ends.read())
  expect(await listing(broker, other)).toBe(200)
  await stays.cancel()
})

test('[X16] signing out removes the cookies of all tokens, and asks for none', async () => {
  const broker = await served()
  const { tokens } = await newCase(broker)
  const held = (await exchange(broker, tokens.customer)).cookies[0]?.split(';')[0] ?? ''
  const cookie = `${held}; ${await signedIn(broker)}; another=one`
  const { cookies } = await ask(broker, '/api/token', { method: 'DELETE', headers: { cookie } })
  expect(cookies).toHaveLength(2)
  for (const each of cookies) expect(each).toMatch(/^throughline-[^=]+=; Max-Age=0/)
  expect((await ask(broker, '/api/token', { method: 'DELETE' })).status).toBe(200)
})

test('[X15] cookies under an accepted secret hold at another server, under a removed one they do not', async ({
  annotate,
}) => {
  const [old, fresh] = ['the old secret of these servers', 'the fresh secret of these servers']
  const log = memoryLog()
  const one = await served({ log, secrets: [old, fresh] })
  const other = await served({ log, secrets: [fresh, old] })
  const removed = await served({ log, secrets: [fresh] })
  const { sessionId, tokens } = await newCase(one)
  const theirs = await newCase(other)
  const person = async (broker: ServedBroker, token: string) =>
    (await exchange(broker, token)).cookies[0]?.split(';')[0] ?? ''
  const state = async (broker: ServedBroker, thread: string, cookie: string) =>
    (await ask(broker, `/api/threads/${thread}/state`, { headers: { cookie } })).status
  const asked = [
    await state(other, sessionId, await person(one, tokens.customer)),
    await state(one, theirs.sessionId, await person(other, theirs.tokens.customer)),
    await state(removed, theirs.sessionId, await person(other, theirs.tokens.customer)),
    await listing(other, await signedIn(one)),
    await listing(one, await signedIn(other)),
    await listing(removed, await signedIn(other)),
    await state(removed, sessionId, await person(one, tokens.customer)),
    await listing(removed, await signedIn(one)),
  ]
  expect(asked).toEqual([200, 200, 200, 200, 200, 200, 404, 401])
  await annotate(
    '6 of 6 cookies under an accepted secret taken, 0 of 2 under a removed one',
    'promise',
  )
})
