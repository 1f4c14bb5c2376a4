import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, get } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import { ask } from './raw-http.fixture.ts'
import { serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'
import { caseFullOf } from './stored-text.fixture.ts'

const SCRIPT = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

let api: ServedApi
let full: Case

beforeAll(async () => {
  api = await serveApi()
  full = await caseFullOf(api, SCRIPT)
})

afterAll(() => api.close())

/** Content types that no browser shows as a page. */
const DATA_TYPES = [
  'application/json',
  'application/octet-stream',
  'application/problem+json',
  'application/x-ndjson; charset=utf-8',
  'text/csv; charset=utf-8',
  'text/event-stream; charset=utf-8',
]

const ACCEPTED = ['text/html', '*/*', 'application/xhtml+xml', 'text/event-stream']

const READS = [
  '/api/threads/:id/events?limit=10000',
  '/api/threads/:id/events?view=agent',
  '/api/threads/:id/state',
  '/api/threads/:id/verify',
  '/api/threads/:id/export',
  '/api/threads/:id/bundle',
  '/api/threads/:id/export?format=csv',
  '/api/search?q=script&limit=500',
  '/api/session/:id',
  '/api/audit/:id',
  '/api/quotes?sessionId=:id',
]

test('[X9] texts of people leave the server as data only, with a type that marks them as data', async ({
  annotate,
}) => {
  const asked = ACCEPTED.flatMap((accept) =>
    READS.flatMap((read) =>
      Object.values(full.tokens).map((token) => ({
        target: read.replace(':id', full.sessionId),
        headers: { accept, ...bearer(token) },
      })),
    ),
  )
  let told = 0
  let runnable = 0
  for (const request of asked) {
    const answer = await ask(api.port, { method: 'GET', ...request })
    const { headers = {}, body = '' } = answer ?? {}
    if (body.includes('<script>')) told++
    const isData = DATA_TYPES.includes(headers['content-type'] ?? '')
    if (!isData || headers['x-content-type-options'] !== 'nosniff') runnable++
  }
  expect(runnable).toBe(0)
  expect(told).toBeGreaterThan(10)
  await annotate(
    `${runnable} of ${asked.length} answers, ${told} of them with a script in them, could be run`,
    'promise',
  )
})

test('[X9] a page holds no data of its request, and runs only its built scripts', async () => {
  const pages = api
    .routes()
    // `/studio` only leads to `/studio/`.
    .filter(
      ({ method, path }) => method === 'GET' && !/api|agui|assets|chat|metrics|studio$/.test(path),
    )
  expect(pages.length).toBeGreaterThan(3)
  for (const { path } of pages) {
    const plain = await get(api, path.replace(':id', 'x'))
    const hostile = await get(
      api,
      `${path.replace(':id', encodeURIComponent(SCRIPT))}?${encodeURIComponent(SCRIPT)}`,
    )
    expect(hostile.body).toBe(plain.body)
    const policy = hostile.headers['content-security-policy'] ?? ''
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]))
    expect(rules.get('default-src')).toBe("default-src 'none'")
    expect(rules.get('script-src')).toBe("script-src 'self'")
    expect(rules.get('base-uri')).toBe("base-uri 'none'")
    const framed = ['/installer/:id', '/customer/:id', '/audit/:id'].includes(path)
    expect(rules.get('frame-ancestors')).toBe(`frame-ancestors ${framed ? "'self'" : "'none'"}`)
    const frames = ['/demonstration/:id', '/team'].includes(path) ? "frame-src 'self'" : undefined
    expect(rules.get('frame-src')).toBe(frames)
    expect(rules.get('form-action')).toBe("form-action 'self'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:[^;]*script/)
    expect(hostile.headers['content-type']).toMatch(/^text\/html; charset=utf-8$/i)
    expect(hostile.headers['x-content-type-options']).toBe('nosniff')
    expect(hostile.headers['referrer-policy']).toBe('no-referrer')
  }
})

test('[X9] every answer has a content type and forbids guessing', async () => {
  for (const { method, path } of api.routes()) {
    const target = path
      .replace(':id', full.sessionId)
      .replace(':runId', 'x')
      .replace('*', 'page.js')
    const answer = await ask(api.port, { method, target, headers: bearer(full.tokens.customer) })
    expect(answer?.headers['x-content-type-options'], path).toBe('nosniff')
    expect(answer?.headers['content-type'], path).toBeDefined()
    const cached = /^no-store(, no-transform)?$|^no-cache$|immutable$/
    expect(answer?.headers['cache-control'], path).toMatch(cached)
  }
})
