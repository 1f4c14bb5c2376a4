import { defineAgent, defineApp, defineDomain, scriptedModel } from 'throughline'
import { z } from 'zod'

export interface Incident {
  readonly status: 'new' | 'open' | 'acknowledged' | 'resolved'
  readonly what: string
  readonly openedAt: number
  readonly owner?: string
  readonly plan?: string
  readonly pages: { readonly wanted: number; readonly sent: number }
}

/** Milliseconds before the next person is paged. */
const ESCALATE_MS = Number(process.env['ESCALATE_MS'] ?? 300_000)
const { event, domain } = defineDomain<Incident>()
const nothing = z.strictObject({})
const responder = { source: 'ui', surface: 'responder' } as const
const same = (now: Incident) => now
/** A model does nothing in an incident that is resolved. */
const atWork = { status: ['open', 'acknowledged'] } as const
const isNow = (status: Incident['status']) => (now: Incident) =>
  now.status === status
    ? undefined
    : ({ refused: 'precondition', detail: `it is ${now.status}, not ${status}` } as const)

export const incidents = domain({
  name: 'incidents',
  initial: { status: 'new', what: '', openedAt: 0, pages: { wanted: 0, sent: 0 } },
  events: {
    reported: event({
      schema: z.strictObject({ what: z.string().min(3).max(500) }),
      by: [responder, { source: 'remote', surface: 'monitor' }],
      guard: isNow('new'),
      reduce: (now, { what }, { ts: openedAt }) => {
        return { ...now, what, openedAt, status: 'open', pages: { wanted: 1, sent: 0 } }
      },
    }),
    paged: event({
      schema: nothing,
      by: [{ source: 'system' }],
      reduce: (now) => ({ ...now, pages: { ...now.pages, sent: now.pages.sent + 1 } }),
    }),
    escalated: event({
      schema: nothing,
      by: [{ source: 'system' }],
      guard: isNow('open'),
      reduce: (now) => ({ ...now, pages: { ...now.pages, wanted: now.pages.wanted + 1 } }),
    }),
    noted: event({ schema: z.strictObject({ note: z.string() }), by: [responder], reduce: same }),
    acknowledged: event({
      schema: nothing,
      by: [responder],
      guard: isNow('open'),
      reduce: (now, _, { origin: { actor = '' } }) => {
        return { ...now, status: 'acknowledged', owner: actor }
      },
    }),
    plan_proposed: event({
      schema: z.strictObject({ plan: z.string().max(500) }),
      by: [{ source: 'model' }],
      from: atWork,
      reduce: (now, { plan }) => ({ ...now, plan }),
    }),
    restarted: event({ schema: nothing, by: [{ source: 'model' }], from: atWork, reduce: same }),
    resolved: event({
      schema: nothing,
      by: [responder],
      guard: isNow('acknowledged'),
      reduce: (now) => ({ ...now, status: 'resolved' }),
    }),
  },
  effects: [
    {
      name: 'page',
      due: ({ what, pages: { wanted, sent } }) =>
        wanted > sent && { key: `page ${sent + 1}`, input: { what } },
    },
  ],
  deadlines: [
    {
      name: 'escalate',
      due: ({ status, openedAt }) => {
        const propose = { type: 'escalated', data: {} } as const
        return status === 'open' && { key: 'once', at: openedAt + ESCALATE_MS, propose }
      },
    },
  ],
})

const historian = defineAgent({
  name: 'historian',
  description: 'Knows what helped in earlier incidents.',
  model: scriptedModel(() => 'In May a restart of the cache helped within a minute.'),
})

const coordinator = defineAgent({
  domain: incidents,
  name: 'coordinator',
  // Without a key this script plays the model. A model of an AI SDK provider goes in its place.
  model: scriptedModel(({ messages }) => {
    const text = messages.findLast(({ role }) => role === 'tool')?.text
    const history = { name: 'call_historian', input: { message: 'What helped before?' } }
    if (text === undefined) return { toolCalls: [history] }
    if (!text.includes('May')) return `${text} Watch it for ten minutes.`
    const plan = `<agent-event type="plan_proposed" data='{"plan":"Restart the cache"}' />`
    return { text: `A restart helped before. ${plan}`, toolCalls: [{ name: 'restart', input: {} }] }
  }),
  instructions: ({ state }) => `Coordinate the response to "${state.what}". Propose a plan.`,
  emits: ['plan_proposed'],
  agents: [historian],
  tools: {
    restart: {
      description: 'Restarts the cache. A person must agree.',
      inputSchema: nothing,
      needsApproval: true,
      proposes: ['restarted'],
      async execute(_, { propose }) {
        await propose([{ type: 'restarted', data: {} }])
        return 'The cache was restarted.'
      },
    },
  },
})

export const app = (pager: string) =>
  defineApp({
    name: 'incidents',
    domain: incidents,
    agents: [coordinator],
    opens: ['reported'],
    index: { status: ({ status }) => status, what: ({ what }) => what },
    effects: {
      page: {
        retry: { attempts: 10, backoffMs: 100 },
        async run({ thread, input, key, signal }) {
          const request = {
            method: 'POST',
            headers: { 'idempotency-key': `${thread} ${key}` },
            signal,
          }
          const { ok, status } = await fetch(pager, { ...request, body: JSON.stringify(input) })
          if (!ok) throw new Error(`The pager answered ${status}`)
          return { type: 'paged', data: {} }
        },
      },
    },
    roles: {
      responder: { read: 'all', propose: 'all', run: ['coordinator'], answer: true, cancel: true },
      auditor: { read: 'all' },
    },
  })
