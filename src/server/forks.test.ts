import { afterAll, expect, test } from 'vitest'
import { boughtErrand } from '../replay/errands.fixture.ts'
import type { ErrandsOptions } from '../replay/errands.fixture.ts'
import { routes, serve } from './index.ts'
import type { Caller } from './index.ts'

const started: { end: () => Promise<void> }[] = []
afterAll(async () => {
  for (const { end } of started) await end()
})

async function served(options: ErrandsOptions = {}) {
  const { tl, log, records, worked } = await boughtErrand(options)
  const people: Readonly<Record<string, Caller>> = {
    operator: { role: 'operator', actor: 'kim' },
    home: { role: 'home' },
  }
  const authenticate = ({ headers }: Request, thread?: string) => {
    const who = headers.get('who') ?? ''
    // An operator of all threads but this one.
    if (who === 'elsewhere') return thread === 't' ? undefined : people['operator']
    return people[who]
  }
  const http = routes(tl, { authenticate })
  const call = async (method: string, path: string, { body, ...headers }: Call = {}) => {
    const answer = await http.fetch(
      new Request(`http://server${path}`, {
        method,
        headers: { who: 'operator', 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  started.push({
    end: async () => {
      http.close()
      await tl.close(0)
    },
  })
  return { tl, log, records, worked, call, http }
}

interface Call extends Readonly<Record<string, unknown>> {
  readonly body?: unknown
  readonly who?: string
}

test('an operator finds no fork of a thread that they may not enter', async () => {
  const { call } = await served()
  const begun = await call('POST', '/api/threads/t/fork', { body: { at: 0 } })
  const fork = `/api/forks/${begun.body['fork'] as string}`
  const of = { who: 'elsewhere' }
  expect((await call('GET', '/api/forks', of)).body).toEqual({ forks: [] })
  for (const path of [fork, `${fork}/threads/t/state`])
    expect(await call('GET', path, of)).toMatchObject({ status: 404 })
  expect((await call('DELETE', fork, of)).status).toBe(404)
})

test('routes that were closed begin no fork, and end one that was being made', async () => {
  const { call, http } = await served()
  const begun = call('POST', '/api/threads/t/fork', { body: { at: 0 } })
  http.close()
  const closed = { status: 503, body: { code: 'closed' } }
  expect(await begun).toMatchObject(closed)
  expect(await call('POST', '/api/threads/t/fork', { body: { at: 0 } })).toMatchObject(closed)
})

test('the hash of a fork is shown only to who reads records as they are stored', async () => {
  for (const [operatorReads, shows] of [
    ['all', true],
    ['redacted', false],
  ] as const) {
    const { call } = await served({ operatorReads })
    const { body } = await call('POST', '/api/threads/t/fork', { body: { at: 0 } })
    const { body: listed } = await call('GET', `/api/forks/${body['fork'] as string}`)
    for (const fork of [body, listed]) expect('hash' in fork).toBe(shows)
  }
})

test('no more forks are begun at once than a server holds', async () => {
  const { call } = await served()
  const asked = Array.from({ length: 40 }, () =>
    call('POST', '/api/threads/t/fork', { body: { at: 0 } }),
  )
  const begun = (await Promise.all(asked)).filter(({ status }) => status === 200)
  expect(begun).toHaveLength(32)
})

test('an operator forks a thread, and the same routes show and change the fork alone', async () => {
  const { call, log, records, worked } = await served()
  const head = records.length - 1
  const at = records.findIndex(({ type }) => type === 'priced') - 1
  const begun = await call('POST', '/api/threads/t/fork', { body: { at } })
  expect(begun).toMatchObject({
    status: 200,
    body: { thread: 't', at, hash: records[at]?.hash, sameHashes: true, missed: [] },
  })
  const fork = `/api/forks/${begun.body['fork'] as string}`
  const before = await call('GET', `/api/threads/t/state?at=${at}`)
  const inFork = await call('GET', `${fork}/threads/t/state?at=${at}`)
  expect(inFork.body).toEqual(before.body)
  const dropped = { events: [{ type: 'dropped', data: {} }] }
  // The domain takes it from the person's page alone.
  const refused = await call('POST', `${fork}/threads/t/events`, { body: dropped })
  expect(refused.body['refused']).toMatchObject([{ reason: 'not_authorised' }])
  const headers = { 'throughline-surface': 'home' }
  const done = await call('POST', `${fork}/threads/t/events`, { body: dropped, ...headers })
  expect(done.body).toMatchObject({ refused: [], state: { status: 'dropped' } })
  const events = await call('GET', `${fork}/threads/t/events?after=${at}&format=json`)
  expect(JSON.stringify(events.body)).toContain('"actor":"kim"')
  expect((await call('GET', '/api/threads/t/state')).body).toMatchObject({
    state: { status: 'bought' },
  })
  expect(await log.head('t')).toBe(head)
  expect(worked).toHaveLength(3)
  const listed = await call('GET', '/api/forks')
  expect(listed.body['forks']).toMatchObject([{ thread: 't', at }])
  expect(await call('GET', fork)).toMatchObject({ status: 200, body: { at } })
  expect(await call('POST', `${fork}/threads/t/fork`, { body: { at: 0 } })).toMatchObject({
    status: 404,
  })
  expect((await call('DELETE', fork)).status).toBe(200)
  expect((await call('GET', `${fork}/threads/t/state`)).status).toBe(404)
})

test('only an operator forks, lists or enters a fork', async () => {
  const { call } = await served()
  const { body } = await call('POST', '/api/threads/t/fork', { body: { at: 0 } })
  const fork = `/api/forks/${body['fork'] as string}`
  for (const [method, path] of [
    ['POST', '/api/threads/t/fork'],
    ['GET', '/api/forks'],
    ['GET', fork],
    ['DELETE', fork],
    ['GET', `${fork}/threads/t/state`],
    ['GET', `${fork}/threads/t/events`],
  ] as const) {
    for (const who of ['home', 'nobody']) {
      const given = method === 'POST' ? { body: { at: 0 } } : {}
      expect([401, 403, 404]).toContain((await call(method, path, { ...given, who })).status)
    }
  }
})

test('a fork ends when the person of its thread is erased, and an erased thread cannot be forked', async () => {
  const { call, tl } = await served({ erasable: true })
  const { body } = await call('POST', '/api/threads/t/fork', { body: { at: 3 } })
  // Its records were opened: their hashes cover what is sealed.
  expect(body).toMatchObject({ at: 3, sameHashes: false })
  const state = `/api/forks/${body['fork'] as string}/threads/t/state`
  expect((await call('GET', state)).body).toMatchObject({ state: { what: 'tea' } })
  await tl.erase('t', { by: 'kim', why: 'asked on 3 March' })
  expect((await call('GET', state)).status).toBe(404)
  expect((await call('GET', '/api/forks')).body).toEqual({ forks: [] })
  const again = await call('POST', '/api/threads/t/fork', { body: { at: 3 } })
  expect(again).toMatchObject({ body: { code: 'erased' } })
})

test('an operator who reads redacted records reads a fork redacted too', async () => {
  const { call, records } = await served({ operatorReads: 'redacted' })
  const at = records.length - 1
  const { body } = await call('POST', '/api/threads/t/fork', { body: { at } })
  const thread = `/api/forks/${body['fork'] as string}/threads/t`
  const reads = [body]
  for (const path of ['/state', '/events', '/changes', '/why', `/state?at=${at}`]) {
    reads.push((await call('GET', thread + path)).body)
  }
  expect(JSON.stringify(reads)).toContain('[redacted]')
  expect(JSON.stringify(reads)).not.toContain('tea')
})

test('a fork has to be at a record of the thread, and a server holds so many at most', async () => {
  const { call, records } = await served()
  const fork = async (at: unknown) => call('POST', '/api/threads/t/fork', { body: { at } })
  for (const at of [-2, records.length, 0.5, '0', undefined]) {
    expect((await fork(at)).status).toBe(400)
  }
  expect((await call('POST', '/api/threads/none/fork', { body: { at: 0 } })).status).toBe(404)
  for (let n = 0; n < 32; n++) expect((await fork(-1)).status).toBe(200)
  expect(await fork(0)).toMatchObject({ status: 429, body: { code: 'too_many_forks' } })
})

test('a served fork streams as its origin does, only to an operator with a token', async () => {
  const { tl, records } = await boughtErrand()
  const operatorToken = 'o'.repeat(40)
  const server = await serve(tl, { port: 0, operatorToken })
  const { url } = server
  const headers = {
    authorization: `Bearer ${operatorToken}`,
    'content-type': 'application/json',
    'throughline-surface': 'home',
  }
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const begun = await post('/api/threads/t/fork', { at: records.length - 1 })
  const { fork } = (await begun.json()) as { readonly fork: string }
  const events = `${url}/api/forks/${fork}/threads/t/events`
  expect((await fetch(events)).status).toBe(401)
  const leaving = new AbortController()
  const live = await fetch(`${events}?after=${records.length - 1}`, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  expect(live.status).toBe(200)
  const done = await post(`/api/forks/${fork}/threads/t/events`, {
    events: [{ type: 'wanted', data: { what: 'sugar' } }],
  })
  expect(await done.json()).toMatchObject({ refused: [], state: { what: 'sugar' } })
  let text = ''
  for await (const chunk of live.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array)
    if (text.includes('sugar')) break
  }
  expect(text).toContain('"wanted"')
  leaving.abort()
  await server.close()
})
