import { ask } from './raw-http.fixture.ts'
import type { RawAnswer } from './raw-http.fixture.ts'
import { usualBody } from './fuzz.fixture.ts'
import type { Subject } from './fuzz.fixture.ts'
import type { Route } from './served-api.fixture.ts'

type ThreadRole = 'installer' | 'customer' | 'auditor'

export interface Rule {
  /** Which bearers of a token for the thread the route takes; `anybody` asks for no token. */
  readonly takes: readonly ThreadRole[] | 'anybody'
  /** Which of the others may enter the thread, and are told that they may not do this in it. */
  readonly forbids?: readonly ThreadRole[]
  /** Chats record a person's click, which an operator's is not. */
  readonly operator: 'may' | 'may not'
}

const EVERYBODY: Rule = { takes: 'anybody', operator: 'may' }
const ALL_ROLES: readonly ThreadRole[] = ['installer', 'customer', 'auditor']
const ALL: Rule = { takes: ALL_ROLES, operator: 'may' }
const OPERATOR: Rule = { takes: [], operator: 'may' }
const only = (...takes: readonly ThreadRole[]): Rule => ({ takes, operator: 'may' })

/** Who may use which route. A route that is not named here fails the matrix: say who may. */
export const RULES: Readonly<Record<string, Rule>> = {
  'GET /api/health': EVERYBODY,
  'POST /api/token': EVERYBODY,
  'DELETE /api/token': EVERYBODY,
  'GET /api/threads': OPERATOR,
  'GET /api/verify': OPERATOR,
  'GET /api/threads/:id/events': ALL,
  'POST /api/threads/:id/events': { ...only('installer', 'customer'), forbids: ['auditor'] },
  'POST /api/threads/:id/opened': ALL,
  'GET /api/threads/:id/state': ALL,
  'GET /api/threads/:id/verify': ALL,
  'GET /api/threads/:id/export': ALL,
  'GET /api/agents/served': OPERATOR,
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
  'GET /api/disclosures/:id': EVERYBODY,
  'GET /api/quotes': only('customer'),
  'POST /api/address-lookup': EVERYBODY,
  'GET /': EVERYBODY,
  'GET /installer/:id': EVERYBODY,
  'GET /customer/:id': EVERYBODY,
  'GET /audit/:id': EVERYBODY,
  'GET /threads/:id': EVERYBODY,
  'GET /broker/disclosure/:id/:disclosureId': EVERYBODY,
  'GET /assets/*': EVERYBODY,
}

/** Routes that name a thread in their address, their query or their body. */
export function namesThread({ path }: Route): boolean {
  if (path.startsWith('/api/disclosures')) return false
  return path.includes(':id') || path.includes('/chat/') || path === '/api/quotes'
}

/** Somebody who asks, with what they carry. */
export interface Asker {
  readonly name: string
  readonly headers: (thread: string) => Readonly<Record<string, string>>
}

export function askersWith(subject: Subject, operator: string): readonly Asker[] {
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
    ...roles.flatMap((role) => [
      bearer(`foreign ${role}`, subject.foreign.tokens[role]),
      cookie(`foreign ${role}`, subject.foreign.tokens[role]),
    ]),
    ...roles.flatMap((role) => [
      bearer(`own ${role}`, subject.own.tokens[role]),
      cookie(`own ${role}`, subject.own.tokens[role]),
    ]),
    bearer('operator', operator),
  ]
}

export function mayUse({ takes, operator }: Rule, asker: Asker): boolean {
  if (takes === 'anybody') return true
  if (asker.name === 'operator') return operator === 'may'
  return takes.some((role) => asker.name.startsWith(`own ${role}`))
}

/** Whether somebody may enter the thread of a route without doing there what the route does. */
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
  const query = route.path === '/api/quotes' ? `?sessionId=${thread}` : ''
  const answer = await ask(subject.port, {
    method: route.method,
    target: route.path.replace(':id', thread).replace(':runId', subject.run) + query,
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

function randomAddress(): string {
  return `10.${crypto.getRandomValues(new Uint8Array(3)).join('.')}`
}

/** All that somebody can see of an answer, but for the time of day. */
export function seen({ status, headers, body }: RawAnswer): unknown {
  return { status, headers: { ...headers, date: '' }, body }
}
