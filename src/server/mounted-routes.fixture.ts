import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import type { AnyApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { routes } from './index.ts'
import type { Authenticate, Caller, RoutesOptions } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

interface Incident {
  readonly reports: number
  readonly secret: string
}

const { event, domain } = defineDomain<Incident>()
const incidents = domain({
  name: 'incidents',
  initial: { reports: 0, secret: 'the key' },
  events: {
    reported: event({
      schema: z.object({ what: z.string() }),
      by: [{ source: 'ui' }],
      reduce: (state) => ({ ...state, reports: state.reports + 1 }),
    }),
    closed: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: (state) => state }),
  },
})

const payTools = {
  pay: { inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' },
}
const pays = defineAgent<Incident>({
  name: 'payer',
  model: scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Paid.' : { toolCalls: [{ name: 'pay', input: {} }] },
  ),
  tools: payTools,
})
const guards = defineAgent<Incident>({
  name: 'guard',
  surface: 'gate',
  model: pays.model,
  tools: payTools,
})
const greets = defineAgent<Incident>({
  name: 'greeter',
  surface: 'door',
  model: scriptedModel(() => 'Welcome.'),
})

export const app = defineApp<Incident>({
  name: 'incidents',
  domain: incidents,
  agents: [pays, guards, greets],
  index: { reports: ({ reports }) => reports },
  roles: {
    responder: {
      read: {
        record: (record) => (record.type === 'closed' ? undefined : record),
        state: ({ reports }) => ({ reports }),
      },
      propose: ['reported'],
      run: 'all',
      begin: true,
      answer: true,
      cancel: true,
    },
    auditor: { read: 'all' },
  },
})

export async function open(served: AnyApp | readonly AnyApp[] = app): Promise<Throughline> {
  const log = memoryLog()
  const throughline = await Throughline.start({
    log,
    apps: [served].flat(),
    now: Date.now,
    id: uuidv7,
    sha256,
  })
  onTestFinished(() => throughline.close())
  return throughline
}

/** A caller is what the header `caller` says, in JSON. */
export const byHeader: Authenticate = (request) => {
  const caller = request.headers.get('caller')
  return caller === null ? undefined : (JSON.parse(caller) as Caller)
}

export const quiet = { logger: pino({ level: 'silent' }) }

export async function mounted(
  options: RoutesOptions = {},
  served: AnyApp | readonly AnyApp[] = app,
) {
  const throughline = await open(served)
  const http = routes(throughline, { authenticate: byHeader, ...quiet, ...options })
  const ask = async (
    ...[path, caller, body, headers]: readonly [string, unknown?, unknown?, Record<string, string>?]
  ) => {
    const response = await http.fetch(
      new Request(`http://any.example${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          ...headers,
          ...(caller === undefined ? {} : { caller: JSON.stringify(caller) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      }),
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { throughline, http, ask }
}

export const responder = { role: 'responder', actor: 'ann' }
export const closing = { events: [{ type: 'closed', data: {} }] }
export const report = { events: [{ type: 'reported', data: { what: 'smoke' } }] }
