import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { routes } from '../index.ts'
import { PAGE, OPERATOR_TOKEN, guarded, serveCallers } from '../callers.fixture.ts'
import { ALLOWED_ORIGINS_MAX } from './cross-origin.ts'
import { byHeader, open, quiet } from '../mounted-routes.fixture.ts'

const asked = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, content-type, last-event-id, x-run-id',
}
const crossSite = { origin: PAGE, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }

/** Sends what `fetch` would not: a page's own headers. */
function ask(
  url: string,
  { method = 'GET', headers = {}, body = '' }: Sent,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

const post = (headers: Record<string, string>): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: '{}',
})

const corsOf = (headers: IncomingHttpHeaders) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'))

test('a preflight of an allowed origin is answered with what a client of agents needs', async () => {
  const { url } = await serveCallers(guarded)
  const answer = await ask(`${url}/agui/asked/echo`, {
    method: 'OPTIONS',
    headers: { ...crossSite, ...asked },
  })
  expect(answer).toMatchObject({ status: 204, text: '' })
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': 'GET, POST',
    vary: 'Origin',
  })
  const allowed = answer.headers['access-control-allow-headers']?.split(', ')
  expect(allowed).toEqual(
    expect.arrayContaining(asked['access-control-request-headers'].split(', ')),
  )
  expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
})

test('[X8] a preflight of another origin, or of another path, is allowed nothing', async () => {
  const { url } = await serveCallers(guarded)
  for (const origin of [
    'https://evil.example',
    `${PAGE}.evil.example`,
    `${PAGE}:8443`,
    PAGE.replace('https', 'http'),
    PAGE.toUpperCase(),
    `${PAGE}/`,
    `${PAGE}, https://evil.example`,
    'null',
    '',
  ]) {
    const headers = { ...crossSite, ...asked, origin }
    const answer = await ask(`${url}/agui/asked/echo`, { method: 'OPTIONS', headers })
    expect(answer.status, origin).toBe(403)
    expect(corsOf(answer.headers)).toEqual([])
  }
  for (const path of [
    '/api/tokens',
    '/api/threads',
    '/api/session',
    '/aguix',
    '/chatx',
    '/x/agui/asked/echo',
  ]) {
    const headers = { ...crossSite, ...asked }
    const answer = await ask(`${url}${path}`, { method: 'OPTIONS', headers })
    expect(corsOf(answer.headers), path).toEqual([])
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
  }
})

test('a page of an allowed origin calls with a bearer token and can read the answer, also a refusal', async () => {
  const { url, issue } = await serveCallers(guarded)
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  const authorization = `Bearer ${token}`
  const answer = await ask(`${url}/agui/asked/echo`, post({ ...crossSite, authorization }))
  expect(answer).toMatchObject({ status: 200, text: '{"role":"caller"}' })
  const refused = await ask(`${url}/agui/asked/echo`, post(crossSite))
  expect(refused.status).toBe(401)
  const missing = await ask(`${url}/agui/no/such/page`, {
    headers: { ...crossSite, authorization },
  })
  expect(missing.status).toBe(404)
  const wrongType = { ...crossSite, authorization, 'content-type': 'text/plain' }
  const simple = await ask(`${url}/agui/asked/echo`, post(wrongType))
  expect(simple.status).toBe(415)
  for (const { headers } of [answer, refused, missing, simple]) {
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Origin',
    })
    expect(headers['access-control-expose-headers']).toContain('retry-after')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
})

test('a stream that a route writes straight to node’s response carries the headers too', async () => {
  const { url, issue } = await serveCallers(guarded)
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  const headers = { ...crossSite, authorization: `Bearer ${token}` }
  const answer = await ask(`${url}/agui/asked/raw`, { headers })
  expect(answer).toMatchObject({ status: 200, text: 'data: 1\n\n' })
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': PAGE,
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': 'text/event-stream',
    vary: 'Origin',
  })
})

test('[X8] under /agui no origin that is not allowed is served, whatever the method', async () => {
  const { url, issue } = await serveCallers(guarded)
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ]) {
    const sent = { authorization: `Bearer ${token}`, ...headers } as Record<string, string>
    for (const answer of [
      await ask(`${url}/agui/asked/info`, { headers: sent }),
      await ask(`${url}/agui/asked/echo`, post(sent)),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('"cross_origin"')
      expect(corsOf(answer.headers)).toEqual([])
    }
  }
  const unlisted = await ask(`${url}/api/tokens`, post({ ...crossSite, authorization: 'Bearer x' }))
  expect(unlisted.text).toContain('"cross_origin"')
})

test('[X8] a cookie of another origin never counts, and open loopback is open to no other origin', async () => {
  const { url, call, tokens } = await serveCallers(guarded)
  const signedIn = await call('/api/token', { body: { token: OPERATOR_TOKEN } })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).not.toBe('')
  const own = { origin: url, 'sec-fetch-site': 'same-origin', cookie }
  expect((await ask(`${url}/agui/asked/echo`, post(own))).text).toBe('{"role":"operator"}')
  for (const site of ['cross-site', 'same-site', 'anything']) {
    const headers = { ...crossSite, 'sec-fetch-site': site, cookie }
    expect((await ask(`${url}/agui/asked/echo`, post(headers))).status).toBe(401)
    expect((await ask(`${url}/agui/asked/info`, { headers })).status).toBe(401)
  }
  const older = { origin: PAGE }
  expect((await ask(`${url}/agui/asked/echo`, post({ ...older, cookie }))).status).toBe(401)

  const loose = await serveCallers()
  expect((await ask(`${loose.url}/agui/asked/echo`, post({}))).text).toBe('{"role":"operator"}')
  const expired = (await tokens.issueCaller({ subject: 'ann', agents: ['clerk'] }, -1)).token
  for (const authorization of [undefined, '', 'Bearer x', `Bearer ${expired}`]) {
    const given = authorization === undefined ? {} : { authorization }
    const answer = await ask(`${loose.url}/agui/asked/echo`, post({ ...crossSite, ...given }))
    expect(answer.status, authorization).toBe(401)
  }
})

test('[X8] an allowed origin does not open the server under another name', async () => {
  const { url, issue } = await serveCallers({ ...guarded, publicUrl: 'http://localhost' })
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  const sent = { ...crossSite, authorization: `Bearer ${token}`, host: 'evil.example' }
  for (const given of [
    post(sent),
    { headers: sent },
    { method: 'OPTIONS', headers: { ...sent, ...asked } },
  ]) {
    const answer = await ask(`${url}/agui/asked/echo`, given)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('"host_not_allowed"')
    expect(corsOf(answer.headers)).toEqual([])
  }
})

test('without allowed origins no page of another origin is served under /agui', async () => {
  const { url } = await serveCallers({ ...guarded, allowedOrigins: [] })
  const headers = { ...crossSite, authorization: `Bearer ${OPERATOR_TOKEN}` }
  expect((await ask(`${url}/agui/asked/info`, { headers })).status).toBe(403)
})

test('[X8] where routes are mounted, a program sees the request of another origin without its cookie', async () => {
  const throughline = await open()
  const seen: (string | null)[] = []
  const http = routes(throughline, {
    ...quiet,
    prefix: '/tl',
    allowedOrigins: [PAGE],
    authenticate: (given, thread) => {
      seen.push(given.headers.get('cookie'), given.headers.get('authorization'))
      return byHeader(given, thread)
    },
    extensions: [
      {
        mount: (hono, { access }) =>
          void hono.post('/agui/asked/echo', async (context) => {
            const { role } = await access.entrant(context)
            return context.json({ role, body: await context.req.json<unknown>() })
          }),
      },
    ],
  })
  const answer = await http.fetch(
    new Request('http://any.example/tl/agui/asked/echo', {
      method: 'POST',
      body: '{"a":1}',
      headers: {
        ...crossSite,
        host: 'any.example',
        cookie: 'session=1',
        authorization: 'Bearer t',
        caller: JSON.stringify({ role: 'responder' }),
        'content-type': 'application/json',
      },
    }),
  )
  expect(await answer.json()).toEqual({ role: 'responder', body: { a: 1 } })
  expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
  expect(seen).toEqual([null, 'Bearer t'])
})

test.each([
  ['https://app.example/path', 'has more than an origin: give "https://app.example"'],
  ['https://ann:secret@app.example', 'holds a user name or a password'],
  ['http://app.example', 'is not encrypted'],
  ['*', 'is no origin'],
  ['https://*.app.example', 'holds a wildcard'],
  ['null', 'is no origin'],
  ['app.example', 'is no origin'],
  ['', 'is no origin'],
])('allowed origin "%s" is refused when the routes are made', async (origin, why) => {
  const throughline = await open()
  const make = () => routes(throughline, { allowedOrigins: ['https://a.example', origin] })
  expect(make).toThrow(`Cannot take \`allowedOrigins\`: number 2 ${why}`)
  expect(make).not.toThrow('secret')
})

test('more allowed origins than their maximum are refused', async () => {
  const throughline = await open()
  const allowedOrigins = Array.from(
    { length: ALLOWED_ORIGINS_MAX + 1 },
    (_, at) => `https://a${at}.example`,
  )
  expect(() => routes(throughline, { allowedOrigins })).toThrow(`at most ${ALLOWED_ORIGINS_MAX}`)
})

test('[X8] a mounting program may trust an origin to send events; every other one is refused', async () => {
  const throughline = await open()
  const http = routes(throughline, {
    ...quiet,
    prefix: '/tl',
    authenticate: () => ({ role: 'responder', actor: 'ann' }),
    trustedOrigins: [PAGE],
  })
  const propose = (origin: string) =>
    http.fetch(
      new Request('http://any.example/tl/api/threads/i-1/events', {
        method: 'POST',
        headers: { ...crossSite, origin, 'content-type': 'application/json' },
        body: '{"events":[{"type":"reported","data":{"what":"smoke"}}]}',
      }),
    )
  expect((await propose(PAGE)).status).toBe(200)
  const refused = await propose('https://evil.example')
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('"cross_origin"')
  expect(await throughline.log.head('i-1')).toBe(0)
})

test('trusted origins need a program that says who sends a request', async () => {
  const throughline = await open()
  expect(() => routes(throughline, { ...quiet, trustedOrigins: [PAGE] })).toThrow(
    'Cannot take `trustedOrigins`: give `authenticate`',
  )
})
