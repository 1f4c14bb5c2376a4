import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLoopback } from '../../src/server/index.ts'
import { timesInTier } from '../tier.fixture.ts'
import { bearer, begunCase, deskThread, newCase } from './case.fixture.ts'
import { usualBody } from './fuzz.fixture.ts'
import type { Subject } from './fuzz.fixture.ts'
import { ask } from './raw-http.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { Route, ServedApi } from './served-api.fixture.ts'

let api: ServedApi
let subject: Subject

/** Without an operator's token: what a page on another site could do here needs no secret. */
beforeAll(async () => {
  api = await serveApi()
  const own = await begunCase(api)
  const desk = await deskThread(api)
  subject = { port: api.port, own, foreign: await newCase(api), desk, run: 'no-run' }
})

afterAll(() => api.close())

function send(route: Route, headers: Record<string, string>, method = route.method) {
  const thread = /runs|history/.test(route.path) ? subject.desk : subject.own.sessionId
  const { tokens } = subject.own
  const token = /audit/.test(route.path) ? tokens.auditor : tokens.customer
  return ask(api.port, {
    method,
    target: route.path.replace(':id', thread).replace(':runId', subject.run),
    headers: {
      'content-type': 'application/json',
      ...bearer(route.path.endsWith('installer') ? tokens.installer : token),
      ...headers,
    },
    body: JSON.stringify(usualBody(route, subject)),
  })
}

/** Other unsafe methods that each route is asked with, in every run from one of the other sites. */
const OTHERS = ['DELETE', 'PUT', 'PATCH'].slice(0, timesInTier({ quick: 1, full: 3 }))
const SITES_FOR_OTHERS = timesInTier({ quick: 1, full: Infinity })

const unsafe = () => api.routes().filter(({ method }) => method !== 'GET')

test('[X8] no route takes an unsafe request that another site sent', async ({ annotate }) => {
  const foreign: readonly Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'anything' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `http://127.0.0.1:${api.port + 1}` },
    { origin: `http://localhost:${api.port}` },
    { origin: `http://127.0.0.1:${api.port}.evil.example` },
    { origin: `http://evil.example/127.0.0.1:${api.port}` },
    { origin: `http://127.0.0.1:${api.port}`, 'sec-fetch-site': 'cross-site' },
  ]
  const before = await progress(api.log)
  const taken: string[] = []
  const attempts = unsafe().flatMap((route) =>
    foreign.flatMap((headers, at) =>
      [route.method, ...(at < SITES_FOR_OTHERS ? OTHERS : [])].map((method) => ({
        route,
        headers,
        method,
      })),
    ),
  )
  for (const { route, headers, method } of attempts) {
    const answer = await send(route, headers, method)
    if (answer?.status === 403 && answer.body.includes('"cross_origin"')) continue
    taken.push(`${method} ${route.path} with ${JSON.stringify(headers)}: ${answer?.status}`)
  }
  expect(taken).toEqual([])
  expect(await progress(api.log)).toBe(before)
  await annotate(
    `${taken.length} of ${attempts.length} unsafe requests from other sites taken`,
    'promise',
  )
})

test('[X8] no route answers a name that another site has pointed at this machine', async ({
  annotate,
}) => {
  const names = ['localhost', '127.0.0.1']
  const foreign = [
    'evil.example',
    '0.0.0.0',
    '127.0.0',
    ...names.flatMap((name) => [`${name}.evil.example`, `${name}.`, `evil.${name}`]),
  ]
  const before = await progress(api.log)
  const answered: string[] = []
  for (const route of api.routes()) {
    for (const host of foreign) {
      const answer = await send(route, { host })
      if (answer?.status === 403 && answer.body.includes('"host_not_allowed"')) continue
      answered.push(`${route.path} as "${host}": ${answer?.status}`)
    }
  }
  expect(answered).toEqual([])
  expect([...foreign, '[::1].evil.example'].filter(isLoopback)).toEqual([])
  expect(await progress(api.log)).toBe(before)
  for (const name of [...names, '[::1]']) {
    const own = await send({ method: 'GET', path: '/api/health' }, { host: `${name}:${api.port}` })
    expect(own?.status).toBe(200)
  }
  const count = foreign.length * api.routes().length
  await annotate(`${answered.length} of ${count} requests under foreign names answered`, 'promise')
})

test('[X8] no route takes what a form or a script can send without being asked for first', async ({
  annotate,
}) => {
  const simple = [
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application/jsonx',
    '',
  ]
  const before = await progress(api.log)
  const taken: string[] = []
  for (const route of unsafe()) {
    for (const type of simple) {
      const answer = await send(route, { 'content-type': type })
      if (answer?.status !== 415) taken.push(`${route.path} as "${type}": ${answer?.status}`)
    }
  }
  expect(taken).toEqual([])
  expect(await progress(api.log)).toBe(before)
  const count = unsafe().length * simple.length
  await annotate(`${taken.length} of ${count} bodies of simple types taken`, 'promise')
})

test('[X8] no answer lets another site read it', async () => {
  // The team's stream does not end; its head is that of every stream.
  for (const route of api.routes().filter(({ path }) => path !== '/api/events')) {
    for (const method of [route.method, 'OPTIONS']) {
      const answer = await send(
        route,
        {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type, authorization',
        },
        method,
      )
      const names = Object.keys(answer?.headers ?? {})
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(answer?.headers['cross-origin-resource-policy'], `${method} ${route.path}`).toBe(
        'same-origin',
      )
    }
  }
})
