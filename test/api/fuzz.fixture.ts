import { gzipSync } from 'node:zlib'
import type { Case } from './case.fixture.ts'
import {
  HEADER_NAMES,
  HEADER_VALUES,
  JSON_VALUES,
  METHODS,
  PATH_PARTS,
  QUERY_NAMES,
  TEXTS,
} from './hostile-values.fixture.ts'
import { encode } from './raw-http.fixture.ts'
import type { Route } from './served-api.fixture.ts'

/** Whose names and tokens fuzzed requests use, so that many of them get past the door. */
export interface Subject {
  readonly port: number
  readonly own: Case
  readonly foreign: Case
  readonly desk: string
  readonly run: string
}

export interface Fuzzed {
  readonly bytes: Buffer
  /** A request that says it is longer than it is needs an end. */
  readonly ending: 'stay' | 'leave'
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A route that is not named here takes `{}`. */
const BODIES: Readonly<Record<string, (subject: Subject) => Json>> = {
  'POST /api/token': ({ own }) => ({ token: own.tokens.customer }),
  'POST /api/session': () => ({ retailerName: 'Bright Solar', demoScenario: 'clean' }),
  'POST /api/session/:id/seed': () => ({ seed: 'a.b.c.d.e' }),
  'POST /api/chat/installer': turn,
  'POST /api/chat/customer': turn,
  'POST /api/audit/:id/replay': () => ({ n: 1, seed: 'a.b.c.d.e' }),
  'POST /api/address-lookup': () => ({ postcode: 'SW1A 1AA' }),
  'POST /api/threads/:id/events': () => ({
    events: [
      { type: 'record_email_preference', data: { wantsEmailCopy: true, email: 'a@example.com' } },
      { type: 'acknowledge_disclosure', data: { id: 'service_status' } },
    ],
    expectedVersion: 7,
  }),
  'POST /api/threads/:id/runs': () => ({ agent: 'policy', input: 'How long?' }),
  'POST /api/threads/:id/runs/:runId/resume': () => ({ values: { call: { approved: true } } }),
  'POST /api/threads/:id/tokens': () => ({ role: 'customer' }),
  'POST /api/threads/:id/tokens/revoke': () => ({ role: 'auditor' }),
  'POST /api/tokens': () => ({ subject: 'ann', agents: ['policy'], expiresInS: 60 }),
  'POST /api/tokens/revoke': () => ({ id: '00000000-0000-4000-8000-000000000000' }),
  'POST /agui/:agent': runInput,
  'POST /agui/:agent/connect': runInput,
  'POST /agui/:agent/stop/:id': () => ({ runId: 'my-run' }),
  'POST /agui/agent/:agent/run': runInput,
  'POST /agui/agent/:agent/connect': runInput,
  'POST /agui/agent/:agent/stop/:id': () => ({ runId: 'my-run' }),
  'POST /chat/:agent': chatInput,
  'POST /api/webhooks/dead-letters/resend': () => ({ all: true, from: 0 }),
}

/** A run of AG-UI, as a stock client asks for it. */
function runInput({ own }: Subject): Json {
  return {
    threadId: own.sessionId,
    runId: crypto.randomUUID(),
    protocolVersion: '1.0',
    messages: [{ id: crypto.randomUUID(), role: 'user', content: 'Are you a lender?' }],
    tools: [{ name: 'show', description: 'Shows it', parameters: { type: 'object' } }],
    context: [{ description: 'the page', value: 'checkout' }],
    state: { consents: {} },
    forwardedProps: { directEvents: [] },
    resume: [{ interruptId: 'forged', status: 'resolved', payload: { approved: true } }],
  }
}

/** A request of a page of the AI SDK. */
function chatInput({ own }: Subject): Json {
  const say = { id: crypto.randomUUID(), role: 'user' }
  return {
    id: own.sessionId,
    trigger: 'submit-message',
    messages: [{ ...say, parts: [{ type: 'text', text: 'Are you a lender?' }] }],
    resume: [{ interruptId: 'forged', status: 'resolved', payload: { approved: true } }],
  }
}

function turn({ own }: Subject): Json {
  return {
    sessionId: own.sessionId,
    seed: 'a.b.c.d.e',
    userMessage: 'Are you a lender?',
    directEvents: [{ type: 'record_financial_facts', data: { annualIncome: 42_000 } }],
    isFirstTurn: false,
    demoScenario: 'clean',
  }
}

/** Returns a valid body for a route. */
export function usualBody({ method, path }: Route, subject: Subject): Json {
  return BODIES[`${method} ${path}`]?.(subject) ?? {}
}

/** A request to a route with something wrong, odd or hostile in one or several places. */
export function fuzzed(route: Route, subject: Subject, random: () => number): Fuzzed {
  const chance = new Chance(random)
  const method = chance.once(0.06) ? chance.of(METHODS) : route.method
  const headers = headersFor(route, subject, chance)
  const target = targetOf(route, subject, chance)
  if (method === 'GET' || method === 'HEAD') {
    return { bytes: encode(subject.port, { method, target, headers }), ending: 'stay' }
  }
  const bytes = encode(subject.port, {
    method,
    target,
    headers,
    body: bodyOf(route, subject, chance),
  })
  if (!chance.once(0.03)) return { bytes, ending: 'stay' }
  return { bytes: bytes.subarray(0, bytes.length - chance.below(40)), ending: 'leave' }
}

function targetOf({ path }: Route, subject: Subject, chance: Chance): string {
  const parts = path.split('/').map((part) => {
    if (part !== '*' && !part.startsWith(':')) return chance.once(0.01) ? `${part}%00` : part
    if (chance.once(0.3)) return chance.of(PATH_PARTS)
    if (part === ':runId') return subject.run
    if (part === '*') return 'page.js'
    if (part === ':agent') return chance.of(['customer', 'customer', 'installer', 'desk'])
    if (path.includes('disclosures')) return 'service_status'
    const unknown = `new-${chance.below(1e9)}`
    return chance.of([subject.own.sessionId, subject.own.sessionId, subject.desk, unknown])
  })
  const names = path === '/api/quotes' ? ['sessionId'] : []
  while (chance.once(0.4)) names.push(chance.of(QUERY_NAMES))
  const query = names.map((name) => {
    const mine = name === 'sessionId' && chance.once(0.7)
    return `${name}=${mine ? subject.own.sessionId : chance.of(TEXTS)}`
  })
  return `${parts.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function headersFor({ method, path }: Route, subject: Subject, chance: Chance) {
  const { tokens } = subject.own
  const role = /installer|customer/.exec(path)?.[0] ?? (path.includes('audit') ? 'auditor' : '')
  const fitting = Object.entries(tokens).find(([name]) => name === role)?.[1]
  const token = fitting ?? chance.of(Object.values(tokens))
  const headers: Record<string, string> = {}
  if (chance.once(0.9)) headers['authorization'] = `Bearer ${token}`
  else if (chance.once(0.5)) headers['authorization'] = `Bearer ${subject.foreign.tokens.customer}`
  if (method !== 'GET') headers['content-type'] = 'application/json'
  while (chance.once(0.3)) headers[chance.of(HEADER_NAMES)] = chance.of(HEADER_VALUES)
  return headers
}

function bodyOf(route: Route, subject: Subject, chance: Chance): string | Buffer {
  const template = usualBody(route, subject)
  const text = chance.once(0.8) ? oddJson(template, chance) : JSON.stringify(template)
  if (chance.once(0.85)) return text
  return chance.of(WRAPPINGS)(text, chance)
}

const WRAPPINGS: readonly ((text: string, chance: Chance) => string | Buffer)[] = [
  () => '',
  () => 'null',
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => `[${text}]`,
  (text) => gzipSync(text),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`${text.slice(0, -1)}\u00ff`, 'latin1'),
  (text, chance) => text.slice(0, chance.below(text.length)),
  (text) => `${' '.repeat(20_000)}${text}`,
  (text, chance) => {
    const bytes = Buffer.from(text)
    for (let flips = 0; flips < 3; flips++) bytes[chance.below(bytes.length)] = chance.below(256)
    return bytes
  },
]

/** The JSON of a value with one of its places taken by something else, or a name twice, or one too many. */
function oddJson(template: Json, chance: Chance): string {
  const mark = '\u0001'
  const places = placesIn(template)
  const place = chance.of(places)
  const text = JSON.stringify(put(template, place, mark)).replace(JSON.stringify(mark), () =>
    chance.of(JSON_VALUES),
  )
  if (chance.once(0.15)) return text.replace('{', () => `{${chance.of(NAMES)}:1,`)
  return text
}

const NAMES = ['"sessionId"', '"type"', '"__proto__"', '"constructor"', '""', '"a\\u0000"']

type Place = readonly (string | number)[]

function placesIn(value: Json, at: Place = []): readonly Place[] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => placesIn(member as Json, [...at, name]))
      : []
  return [at, ...inside]
}

function put(value: Json, [name, ...rest]: Place, other: Json): Json {
  if (name === undefined) return other
  const copy = structuredClone(value) as Record<string | number, Json>
  copy[name] = put(copy[name] ?? null, rest, other)
  return copy as Json
}

class Chance {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  once(share: number): boolean {
    return this.#random() < share
  }

  below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  of<Item>(items: readonly Item[]): Item {
    // An index below the length is one of its own.
    return items[this.below(items.length)] as Item
  }
}
