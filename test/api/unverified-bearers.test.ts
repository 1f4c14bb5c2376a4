import { afterAll, beforeAll, expect, test } from 'vitest'
import { Tokens } from '../../src/server/index.ts'
import { timesInTier } from '../tier.fixture.ts'
import { begunCase, deskThread, newCase, post } from './case.fixture.ts'
import { forgedTokens } from './forged-tokens.fixture.ts'
import type { Subject } from './fuzz.fixture.ts'
import { RULES, askFor, namesThread } from './role-matrix.fixture.ts'
import type { Asker } from './role-matrix.fixture.ts'
import { SECRET, progress, serveApi } from './served-api.fixture.ts'
import type { Route, ServedApi } from './served-api.fixture.ts'

const OPERATOR = 'open-sesame-said-the-operator-of-it'
const caller = { subject: 'ann', agents: ['desk'] }

const SERVERS = [
  { name: 'open loopback', operator: undefined },
  { name: 'a server with an operator token', operator: OPERATOR },
] as const

/** What a request gives as `Authorization`. */
interface Bearer extends Asker {
  readonly verifies: boolean
  readonly given: string
}

/** The server and an earlier case on it. */
interface Served {
  readonly api: ServedApi
  readonly subject: Subject
  readonly askers: readonly Bearer[]
}

const served = new Map<string, Served>()

beforeAll(async () => {
  for (const { name, operator } of SERVERS) served.set(name, await serve(operator))
})

afterAll(() => Promise.all([...served.values()].map(({ api }) => api.close())))

async function serve(operator: string | undefined): Promise<Served> {
  const api = await serveApi(
    // The proxy's header tells addresses apart, and wrong tokens are limited per address.
    operator ? { operatorToken: operator, publicUrl: 'http://localhost' } : {},
  )
  const own = await begunCase(api, operator)
  const foreign = await newCase(api, operator)
  const desk = await deskThread(api, operator)
  const subject: Subject = { port: api.port, own, foreign, desk, run: 'no-run' }
  return { api, subject, askers: await askersOf({ api, subject, operator }) }
}

async function askersOf({
  api,
  subject,
  operator,
}: Pick<Served, 'api' | 'subject'> & { readonly operator: string | undefined }) {
  const { own, foreign } = subject
  const tokens = new Tokens([SECRET])
  const by = operator === undefined ? {} : { token: operator }
  const [expired, elsewhere, revoked] = [
    await tokens.issueCaller(caller, -1),
    await new Tokens(['another secret']).issueCaller(caller, 60),
    await tokens.issueCaller(caller, 60),
  ]
  await post(api, '/api/tokens/revoke', { body: { id: revoked.id }, ...by })
  const lost = await newCase(api, operator)
  const path = `/api/threads/${lost.sessionId}/tokens/revoke`
  await post(api, path, { body: { token: lost.tokens.auditor }, ...by })
  const made = (await forgedTokens(own.sessionId)).filter(
    (_, at) => at % timesInTier({ quick: 4, full: 1 }) === 0,
  )
  const bearer = `Bearer ${own.tokens.auditor}`
  const unverified: Readonly<Record<string, string>> = {
    'an expired caller token': `Bearer ${expired.token}`,
    'a caller token of another server': `Bearer ${elsewhere.token}`,
    'a revoked caller token': `Bearer ${revoked.token}`,
    'a revoked token of a case': `Bearer ${lost.tokens.auditor}`,
    'a token without its end': bearer.slice(0, -3),
    'a token without its beginning': `Bearer ${own.tokens.auditor.slice(3)}`,
    'two tokens': `${bearer} ${own.tokens.auditor}`,
    'no token': 'Bearer',
    'another scheme': 'Basic b3BlcmF0b3I6',
    'a token without its scheme': own.tokens.auditor,
    'the operator token of another server': `Bearer ${OPERATOR}x`,
    ...Object.fromEntries(made.map(({ name, text }) => [name, `Bearer ${text}`])),
  }
  return [
    ...Object.entries(unverified).map(([name, text]) => askerOf(name, text, false)),
    askerOf('a token of another case', `Bearer ${foreign.tokens.auditor}`, true),
  ]
}

function askerOf(name: string, given: string, verifies: boolean): Bearer {
  return { name, given, verifies, headers: () => ({ authorization: given }) }
}

/** The routes that ask who sends a request. */
function guarded(api: ServedApi): readonly Route[] {
  return api.routes().filter(({ method, path }) => {
    return RULES[`${method} ${path}`]?.takes !== 'anybody'
  })
}

/** These list what a bearer's own role may ask, its own thread, what it finds there, and what waits for it. */
const OF_NO_THREAD = [
  '/agui/info',
  '/api/search',
  '/api/threads',
  '/api/threads/count',
  '/api/waits',
]

function isOfNoThread({ method, path }: Route, status: number): boolean {
  const { unknown = 404 } = RULES[`${method} ${path}`] ?? {}
  return status === unknown || (OF_NO_THREAD.includes(path) && status === 200)
}

test.each(SERVERS)(
  '[X27] on $name a credential that does not verify is 401 on every route, and one of another thread opens nothing',
  async ({ name }) => {
    const { api, subject, askers } = served.get(name) as Served
    const before = await progress(api.log)
    const cells = guarded(api).flatMap((route) => {
      const threads = namesThread(route) ? [subject.own.sessionId, subject.desk] : ['']
      return threads.flatMap((thread) => askers.map((asker) => ({ route, thread, asker })))
    })
    const faults: string[] = []
    for (const { route, thread, asker } of cells) {
      const { status } = await askFor(route, { thread, asker, subject })
      const isRefused = status === 401 || (asker.verifies && isOfNoThread(route, status))
      if (!isRefused) faults.push(`${route.method} ${route.path}, ${asker.name}: ${status}`)
    }
    expect(faults).toEqual([])
    expect(cells.length).toBeGreaterThan(500)
    expect(await progress(api.log)).toBe(before)
  },
)

test('[X27] a bearer that does not verify has no more rights than a request without one', async ({
  annotate,
}) => {
  const asked = SERVERS.flatMap(({ name }) => {
    const { api, askers } = served.get(name) as Served
    return askers.flatMap(({ given, verifies }) =>
      [...(verifies ? [] : ['/api/threads']), '/api/verify', '/api/agents/served'].map((path) => ({
        url: `${api.url}${path}`,
        given,
      })),
    )
  })
  let granted = 0
  for (const [at, { url, given }] of asked.entries()) {
    const headers = { authorization: given, 'x-forwarded-for': `10.1.${at % 250}.1` }
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    granted += Number(response.status < 400)
  }
  expect(granted).toBe(0)
  await annotate(`${granted} of ${asked.length} bearers got in`, 'promise')
})
