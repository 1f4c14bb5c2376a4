import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import { MemoryLog } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { Tokens, readBody, serve } from './index.ts'
import type { Extension, RunningServer, ServeOptions } from './index.ts'
import { ThreadEntry, requireOwnSurface, requirePermission } from './routes/thread-entry.ts'
import { id, sha256 } from '../../test/memory-log.fixture.ts'

export const OPERATOR_TOKEN = 'open-sesame-said-the-operator-of-it'
export const PAGE = 'https://app.example'

const { event, domain } = defineDomain<{ readonly secret: string }>()
const tickets = domain({
  name: 'tickets',
  initial: { secret: 'the margin' },
  events: {
    filed: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: (state) => state }),
  },
})
const talks = scriptedModel(({ messages }) => (messages.length > 0 ? 'Heard: hello' : 'Silence'))
const pays = scriptedModel(({ messages }) =>
  messages.at(-1)?.role === 'tool' ? 'Paid.' : { toolCalls: [{ name: 'pay', input: {} }] },
)
const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' })

/** Agents that only talk, beside cases, which no run begins. */
const desk = defineApp({
  name: 'desk',
  agents: [
    defineAgent({ name: 'clerk', model: talks, notes: () => ['a word to the model alone'] }),
    defineAgent({ name: 'payer', model: pays, tools: { pay } }),
  ],
})
const cases = defineApp({
  name: 'cases',
  domain: tickets,
  opens: ['filed'],
  agents: [defineAgent({ domain: tickets, name: 'customer', surface: 'customer', model: talks })],
  roles: { customer: { read: 'all', run: ['customer'] } },
})
/** Says what callers see of it. */
const shop = defineApp({
  name: 'shop',
  domain: domain({ name: 'shop', initial: { secret: 'the margin' }, events: {} }),
  agents: [defineAgent<{ readonly secret: string }>({ name: 'seller', model: talks })],
  roles: { caller: { read: { record: 'all', state: () => ({ open: true }) } } },
})

/** Routes that show who sends a request, and that enter a thread which the body names. */
const agui = (throughline: Throughline): Extension => ({
  mount(hono, { access }) {
    const entry = new ThreadEntry(throughline, access)
    hono.post('/agui/asked/enter', async (context) => {
      const { thread, agent } = await readBody(context, named)
      const opening = async () => ({ type: 'RUN_STARTED', agent })
      const entered = await entry.enterNamed(context, thread, opening)
      requirePermission(entered, 'run', [agent])
      requireOwnSurface(entered, agent)
      const { role, owner, begins, as } = entered
      return context.json({ role, app: owner.name, begins, as })
    })
    hono.get('/agui/asked/info', async (context) => {
      const { role, agents } = await access.entrant(context)
      return context.json({ role, agents })
    })
    hono.get('/agui/asked/raw', async (context) => {
      await access.entrant(context)
      const { outgoing } = context.env as HttpBindings
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.end('data: 1\n\n')
      return RESPONSE_ALREADY_SENT.clone()
    })
    hono.post('/agui/asked/echo', async (context) => {
      const { role } = await access.entrant(context)
      return context.json({ role })
    })
  },
})

const named = z.object({ thread: z.string(), agent: z.string() })

/** A log that takes its time to say how long a thread is: requests that ask at once overlap. */
export class SlowHeadLog extends MemoryLog {
  override async head(thread: string): Promise<number> {
    const head = await super.head(thread)
    await pause(20)
    return head
  }
}

export interface CallersSetting extends Partial<ServeOptions> {
  readonly Log?: typeof MemoryLog
}

export async function serveCallers({ Log = MemoryLog, ...given }: CallersSetting = {}) {
  const log = new Log({ hash: sha256, now: Date.now, id })
  const parts = { log, apps: [desk, cases, shop], now: Date.now, id, sha256, retryDelayMs: 1 }
  const throughline = await Throughline.start(parts)
  const tokens = new Tokens(['a secret'])
  const server: RunningServer = await serve(throughline, {
    port: 0,
    tokens,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [PAGE],
    extensions: [agui(throughline)],
    ...given,
  })
  onTestFinished(() => server.close())
  return { ...callsOf(server.url), url: server.url, log, tokens, throughline }
}

export const guarded = { operatorToken: OPERATOR_TOKEN }

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

export interface Issued {
  readonly token: string
  readonly id: string
}

function callsOf(url: string) {
  const call = async (
    path: string,
    { token, body, headers = {}, method = body === undefined ? 'GET' : 'POST' }: Call = {},
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : bearer(token)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /^application\/(problem\+)?json\b/.test(
      response.headers.get('content-type') ?? '',
    )
    const answer = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>
    return { status: response.status, headers: response.headers, text, body: answer }
  }
  const issue = async (body: object): Promise<Issued> => {
    const { body: answer } = await call('/api/tokens', { token: OPERATOR_TOKEN, body })
    return { token: String(answer['token']), id: String(answer['id']) }
  }
  const run = (thread: string, token: string, agent: string) =>
    call(`/api/threads/${thread}/runs`, { token, body: { agent, input: 'hello' } })
  return { call, issue, run }
}

interface Call {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly method?: string
}
