import { timesInTier } from '../tier.fixture.ts'
import { ask } from './raw-http.fixture.ts'
import type { RawAnswer } from './raw-http.fixture.ts'
import { usualBody } from './fuzz.fixture.ts'
import type { Subject } from './fuzz.fixture.ts'
import type { Route } from './served-api.fixture.ts'

type ThreadRole = 'installer' | 'customer' | 'auditor'

export interface Rule {
  /** Which bearers of a token for the thread the route takes; `anybody` asks for no token. */
  readonly takes: readonly ThreadRole[] | 'anybody'
  /** Other roles that may enter the thread, and get 403 for this route. */
  readonly forbids?: readonly ThreadRole[]
  /** The answer about a thread that is not theirs, as about one that does not exist; 404 without it. */
  readonly unknown?: 200 | 204
  /** Chats record a person's click, which an operator's is not. */
  readonly operator: 'may' | 'may not'
}

const EVERYBODY: Rule = { takes: 'anybody', operator: 'may' }
const ALL_ROLES: readonly ThreadRole[] = ['installer', 'customer', 'auditor']
const ALL: Rule = { takes: ALL_ROLES, operator: 'may' }
const OPERATOR: Rule = { takes: [], operator: 'may' }
/** The operator's answer on these depends on the session; the tests of the team show it. */
export const TEAM: Rule = { ...OPERATOR }
/** The operator's answer on these depends on the fork. */
export const FORK: Rule = { ...OPERATOR }
const only = (...takes: readonly ThreadRole[]): Rule => ({ takes, operator: 'may' })

/** The matrix asks for the narrator of the customer's page. */
const CUSTOMER_TALKS: Rule = { ...only('customer'), forbids: ['installer', 'auditor'] }

/** The callers of each route. A route that is not named here fails the matrix: add its callers. */
export const RULES: Readonly<Record<string, Rule>> = {
  'GET /openapi.json': EVERYBODY,
  'GET /api/health': EVERYBODY,
  'GET /metrics': OPERATOR,
  'POST /api/token': EVERYBODY,
  'DELETE /api/token': EVERYBODY,
  'GET /api/threads': ALL,
  'GET /api/threads/count': ALL,
  'GET /api/search': ALL,
  'GET /api/verify': OPERATOR,
  'GET /api/threads/:id/events': ALL,
  'POST /api/threads/:id/events': { ...only('installer', 'customer'), forbids: ['auditor'] },
  'POST /api/threads/:id/opened': ALL,
  'GET /api/threads/:id/state': ALL,
  'GET /api/threads/:id/changes': ALL,
  'GET /api/threads/:id/why': ALL,
  'GET /api/threads/:id/verify': ALL,
  'GET /api/threads/:id/export': ALL,
  'GET /api/threads/:id/bundle': ALL,
  'POST /api/threads/:id/erase': { ...OPERATOR, forbids: ALL_ROLES },
  'POST /api/threads/:id/fork': { ...OPERATOR, forbids: ALL_ROLES },
  'GET /api/forks': OPERATOR,
  'GET /api/forks/:fork': FORK,
  'DELETE /api/forks/:fork': FORK,
  'GET /api/forks/:fork/*': FORK,
  'GET /api/agents/served': OPERATOR,
  'GET /api/waits': ALL,
  'POST /api/threads/:id/runs': { ...OPERATOR, forbids: ALL_ROLES },
  'POST /api/threads/:id/runs/:runId/resume': {
    ...only('installer', 'customer'),
    forbids: ['auditor'],
  },
  'POST /api/threads/:id/runs/:runId/cancel': {
    ...only('installer', 'customer'),
    forbids: ['auditor'],
  },
  'POST /api/threads/:id/history/reset': { ...OPERATOR, forbids: ALL_ROLES },
  'POST /api/threads/:id/tokens': OPERATOR,
  'POST /api/threads/:id/tokens/revoke': OPERATOR,
  'POST /api/tokens': OPERATOR,
  'POST /api/tokens/revoke': OPERATOR,
  'POST /api/session': OPERATOR,
  'GET /api/session/:id': ALL,
  'GET /api/session/:id/customer-link': only('installer'),
  'POST /api/session/:id/seed': ALL,
  'POST /api/chat/installer': { takes: ['installer'], operator: 'may not' },
  'POST /api/chat/customer': { takes: ['customer'], operator: 'may not' },
  'GET /api/audit/:id': only('auditor'),
  'POST /api/audit/:id/replay': only('auditor'),
  'GET /api/webhooks/dead-letters': OPERATOR,
  'POST /api/webhooks/dead-letters/resend': OPERATOR,
  'GET /api/firm': EVERYBODY,
  'GET /api/session/:id/next-steps': only('customer'),
  'GET /api/disclosures/:id': EVERYBODY,
  'GET /api/quotes': only('customer'),
  'POST /api/address-lookup': EVERYBODY,
  'GET /agui/info': ALL,
  'GET /agui/:agent': { ...CUSTOMER_TALKS, unknown: 200 },
  'POST /agui/:agent': CUSTOMER_TALKS,
  'POST /agui/:agent/connect': CUSTOMER_TALKS,
  'POST /agui/:agent/stop/:id': CUSTOMER_TALKS,
  'POST /agui/agent/:agent/run': CUSTOMER_TALKS,
  'POST /agui/agent/:agent/connect': CUSTOMER_TALKS,
  'POST /agui/agent/:agent/stop/:id': CUSTOMER_TALKS,
  'POST /chat/:agent': CUSTOMER_TALKS,
  'GET /chat/:agent/:id': { ...CUSTOMER_TALKS, unknown: 200 },
  'GET /chat/:agent/:id/stream': { ...CUSTOMER_TALKS, unknown: 204 },
  'POST /chat/:agent/:id/stop': CUSTOMER_TALKS,
  'GET /api/events': TEAM,
  'POST /api/send': TEAM,
  'POST /api/agents/summon': TEAM,
  'POST /api/agents/wake': TEAM,
  'POST /api/agents/offer': TEAM,
  'POST /api/job-help': TEAM,
  'POST /api/ledger-reset': TEAM,
  'POST /api/session/start': TEAM,
  'POST /api/session/end': TEAM,
  'POST /api/interrupt': TEAM,
  'POST /api/permissions': TEAM,
  'POST /api/set-aside': TEAM,
  'GET /api/documents': TEAM,
  'GET /api/sessions': TEAM,
  'GET /api/permission-rules': TEAM,
  'POST /api/permission-rules/:rule/remove': TEAM,
  'GET /api/session/budget': TEAM,
  'POST /api/session/budget': TEAM,
  'GET /api/transcripts': TEAM,
  'GET /api/agents': TEAM,
  'GET /api/jobs': TEAM,
  'POST /api/jobs': TEAM,
  'POST /api/jobs/decline': TEAM,
  'GET /api/skills': TEAM,
  'GET /api/artifacts': TEAM,
  'GET /api/artifacts/*': TEAM,
  'GET /': EVERYBODY,
  'GET /help': EVERYBODY,
  'GET /team': EVERYBODY,
  'GET /components': EVERYBODY,
  'GET /demonstration/:id': EVERYBODY,
  'GET /installer/:id': EVERYBODY,
  'GET /customer/:id': EVERYBODY,
  'GET /audit/:id': EVERYBODY,
  'GET /threads/:id': EVERYBODY,
  'GET /studio': EVERYBODY,
  'GET /studio/': EVERYBODY,
  'GET /studio/:id': EVERYBODY,
  'GET /broker/disclosure/:id/:disclosureId': EVERYBODY,
  'GET /assets/*': EVERYBODY,
}

/** Routes that name a thread in their address, their query or their body. */
export function namesThread({ path }: Route): boolean {
  if (path.startsWith('/api/disclosures')) return false
  const isNamedInBody = path.includes('/chat/') || path.includes(':agent')
  return path.includes(':id') || isNamedInBody || path === '/api/quotes'
}

const CALLER = 'a caller of agents'

/** A caller may begin threads on these, so that a thread that exists differs from one that does not. */
export function mayBegin({ method, path }: Route, asker: Asker): boolean {
  return (
    asker.name === CALLER &&
    /^POST (\/api\/.*:id\/(events|runs)|\/agui\/.*|\/chat\/:agent)$/.test(`${method} ${path}`)
  )
}

/** Roles whose token comes as a cookie too: a role may do the same with either. */
const COOKIES = timesInTier({ quick: 1, full: 3 })

/** Tokens that are for no thread. */
export interface Bearers {
  readonly operator: string
  readonly caller: string
}

/** A caller, with its headers. */
export interface Asker {
  readonly name: string
  readonly headers: (thread: string) => Readonly<Record<string, string>>
}

export function askersWith(subject: Subject, { operator, caller }: Bearers): readonly Asker[] {
  const roles = ['installer', 'customer', 'auditor'] as const
  const bearer = (name: string, token: string): Asker => ({
    name,
    headers: () => ({ authorization: `Bearer ${token}` }),
  })
  const cookie = (name: string, token: string): Asker => ({
    name: `${name}, as a cookie`,
    // Named for the thread that is asked for, whosever the token is.
    headers: (thread) => ({ cookie: `throughline-${name.split(' ')[1]}-${thread}=${token}` }),
  })
  return [
    { name: 'nobody', headers: () => ({}) },
    bearer('garbage', 'a.b.c'),
    bearer('an operator of elsewhere', `${operator}x`),
    bearer(CALLER, caller),
    ...roles.map((role) => bearer(`foreign ${role}`, subject.foreign.tokens[role])),
    ...roles.map((role) => bearer(`own ${role}`, subject.own.tokens[role])),
    ...roles
      .slice(0, COOKIES)
      .flatMap((role) => [
        cookie(`foreign ${role}`, subject.foreign.tokens[role]),
        cookie(`own ${role}`, subject.own.tokens[role]),
      ]),
    bearer('operator', operator),
  ]
}

/** Whether a credential of a caller verifies. */
export function isKnown({ name }: Asker): boolean {
  return !['nobody', 'garbage', 'an operator of elsewhere'].includes(name)
}

export function mayUse({ takes, operator }: Rule, asker: Asker): boolean {
  if (takes === 'anybody') return true
  if (asker.name === 'operator') return operator === 'may'
  return takes.some((role) => asker.name.startsWith(`own ${role}`))
}

/** Whether a caller may enter the thread of a route without the permission for the route. */
export function mayOnlyEnter({ forbids = [] }: Rule, asker: Asker): boolean {
  return forbids.some((role) => asker.name.startsWith(`own ${role}`))
}

/** Asks for a thread on a route, in the way that the route is usually asked. */
export async function askFor(
  route: Route,
  { thread, asker, subject }: { thread: string; asker: Asker; subject: Subject },
  accept = '*/*',
): Promise<RawAnswer> {
  const own = { ...subject.own, sessionId: thread }
  const queries: Readonly<Record<string, string>> = {
    '/api/quotes': `?sessionId=${thread}`,
    '/api/search': '?q=case',
    ...(route.method === 'GET' && { '/agui/:agent': `?threadId=${thread}` }),
  }
  const query = queries[route.path] ?? ''
  const answer = await ask(subject.port, {
    method: route.method,
    target: pathOf(route, thread, subject) + query,
    headers: {
      accept,
      'content-type': 'application/json',
      // Wrong tokens are limited per address.
      'x-forwarded-for': randomAddress(),
      ...asker.headers(thread),
    },
    ...(route.method === 'GET'
      ? {}
      : { body: JSON.stringify(usualBody(route, { ...subject, own })) }),
  })
  if (!answer) throw new Error(`Cannot ask ${route.path}: nothing came back`)
  return answer
}

function pathOf({ path }: Route, thread: string, { run }: Subject): string {
  return path.replace(':id', thread).replace(':runId', run).replace(':agent', 'customer')
}

function randomAddress(): string {
  return `10.${crypto.getRandomValues(new Uint8Array(3)).join('.')}`
}

/** All that a caller can see of an answer, except the time of day. */
export function seen({ status, headers, body }: RawAnswer): unknown {
  return { status, headers: { ...headers, date: '' }, body }
}
