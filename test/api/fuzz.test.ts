import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { begunCase, deskThread, get, newCase, restful } from './case.fixture.ts'
import { fuzzed } from './fuzz.fixture.ts'
import type { Fuzzed, Subject } from './fuzz.fixture.ts'
import { exchange } from './raw-http.fixture.ts'
import type { RawAnswer } from './raw-http.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { Route, ServedApi } from './served-api.fixture.ts'

const INPUTS = timesInTier({ quick: 12, full: 10_000 })
/** A case grows with each request, so that a new one is begun after some. */
const INPUTS_PER_CASE = 125
/** Looking for new records takes longer the more threads a server has. */
const ROUTES_PER_SERVER = timesInTier({ quick: 4, full: 1 })

const SETTLED_MS = 20
/** Matches traces of source code: a line of a stack, or a file of ours or of a package. */
const TRACE = /(\n|\\n)\s+at .*:\d+:\d+|node:internal|node_modules|\.[cm]?[jt]s:\d+/

let api: ServedApi
let subject: Subject

async function serveAnew(): Promise<void> {
  await api.close()
  api = await serveApi()
  subject = await newSubject()
}

beforeAll(async () => {
  api = await serveApi()
})

afterAll(() => api.close())

async function newSubject(): Promise<Subject> {
  const own = await begunCase(api)
  const foreign = await newCase(api)
  const desk = await deskThread(api)
  const [record] = await firstRecords(desk)
  return { port: api.port, own, foreign, desk, run: record?.origin.run ?? '' }
}

async function firstRecords(thread: string) {
  for await (const records of api.log.read(thread, { limit: 1 })) return records
  return []
}

/** The fault in the server's answer to a request, if there is one. */
async function faultOf(input: Fuzzed): Promise<string | undefined> {
  const before = await progress(api.log)
  const [answer] = await exchange(api.port, input.bytes, input.ending)
  if (!answer && input.ending === 'leave') return settled()
  if (!answer) return 'nothing came back'
  if (answer.status === 202) await restful(api)
  if (!(answer.status >= 200 && answer.status < 500)) return `${answer.status} ${answer.body}`
  if (TRACE.test(answer.body)) return `a stack: ${answer.body}`
  if (answer.status < 400) return undefined
  if ((await progress(api.log)) !== before && (await appendsAgain(input))) {
    return `${answer.status}, and something was appended`
  }
  return misshapen(answer)
}

/** Work of an earlier request may end at any time; what a refused request appends, it appends again. */
async function appendsAgain(input: Fuzzed): Promise<boolean> {
  await settled()
  const before = await progress(api.log)
  await exchange(api.port, input.bytes, input.ending)
  await settled()
  return (await progress(api.log)) !== before
}

/** A request goes on after its sender has left: the next request must not be blamed for it. */
async function settled(): Promise<undefined> {
  let seen = ''
  for (let now = await progress(api.log); now !== seen; now = await progress(api.log)) {
    seen = now
    await pause(SETTLED_MS)
  }
}

/** The HTTP layer answers bytes that are no request with a status alone. */
function misshapen({ status, headers, body }: RawAnswer): string | undefined {
  if (body === '') return undefined
  // A client that accepts HTML gets a page for an unknown address.
  if (status === 404 && headers['content-type']?.startsWith('text/html')) {
    return headers['server-timing']?.startsWith('code;') ? undefined : `${status}, and no code`
  }
  if (headers['content-type'] !== 'application/problem+json') return `${status}, and no problem`
  const problem = JSON.parse(body) as Record<string, unknown>
  return problem['status'] === status && problem['code'] ? undefined : `${status}, but ${body}`
}

async function faultsOf(route: Route) {
  const random = chance(newSeed())
  const faults: string[] = []
  for (let count = 0; count < INPUTS && faults.length < 3; count++) {
    if (count % INPUTS_PER_CASE === INPUTS_PER_CASE - 1) subject = await newSubject()
    const input = fuzzed(route, subject, random)
    const fault = await faultOf(input)
    if (fault === undefined) continue
    faults.push(`${input.bytes.toString('latin1', 0, 900)}\n=> ${fault.slice(0, 500)}`)
  }
  return faults
}

test('[X1] fuzzed requests to every route: no 5xx, no crash, no stack, nothing changed by a 4xx', async ({
  annotate,
}) => {
  const routes = api.routes()
  expect(routes.length).toBeGreaterThan(20)
  const faults: string[] = []
  for (const [at, route] of routes.entries()) {
    if (at % ROUTES_PER_SERVER === 0) await serveAnew()
    faults.push(...(await faultsOf(route)))
    expect((await get(api, '/api/health')).status).toBe(200)
  }
  expect(faults.join('\n\n')).toBe('')
  const inputs = (routes.length * INPUTS).toLocaleString('en')
  await annotate(
    `${faults.length} of ${inputs} fuzzed requests to ${routes.length} routes were answered with a 5xx, a stack trace or a change after a 4xx`,
    'promise',
  )
}, 3_600_000)
