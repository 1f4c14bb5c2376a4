import { defineAgent, defineApp, defineDomain, scriptedModel } from 'throughline'
import { z } from 'zod'

export interface Incident {
  readonly what: string
  readonly status: 'new' | 'open' | 'acknowledged' | 'resolved'
  readonly severity: 'minor' | 'major'
  readonly openedAt: number
  readonly owner: string
  readonly pagesWanted: number
  readonly pagesSent: number
  readonly plan: string
}

/** How long an incident may be open before somebody else is paged, in milliseconds. */
const ESCALATE_MS = Number(process.env['ESCALATE_MS'] ?? 300_000)

const { event, domain } = defineDomain<Incident>()
const nothing = z.strictObject({})
const responder = { source: 'ui', surface: 'responder' } as const
const only = (isMet: boolean, detail: string) =>
  isMet ? undefined : ({ refused: 'precondition', detail } as const)

export const incidents = domain({
  name: 'incidents',
  initial: {
    what: '',
    status: 'new',
    severity: 'minor',
    openedAt: 0,
    owner: '',
    pagesWanted: 0,
    pagesSent: 0,
    plan: '',
  },
  events: {
    reported: event({
      schema: z.strictObject({ what: z.string().min(3).max(500) }),
      by: [{ source: 'remote', surface: 'monitor' }, responder],
      guard: ({ status }) => only(status === 'new', 'it was reported before'),
      reduce: (state, { what }, { ts: openedAt }) => ({
        ...state,
        what,
        status: 'open',
        openedAt,
        pagesWanted: 1,
      }),
    }),
    severity_set: event({
      schema: z.strictObject({ severity: z.enum(['minor', 'major']) }),
      by: [responder, { source: 'model' }],
      reduce: (state, { severity }) => ({ ...state, severity }),
    }),
    paged: event({
      schema: nothing,
      by: [{ source: 'system' }],
      reduce: (state) => ({ ...state, pagesSent: state.pagesSent + 1 }),
    }),
    escalated: event({
      schema: nothing,
      by: [{ source: 'system' }],
      guard: ({ status }) => only(status === 'open', 'somebody has it'),
      reduce: (state) => ({ ...state, pagesWanted: state.pagesWanted + 1 }),
    }),
    acknowledged: event({
      schema: nothing,
      by: [responder],
      guard: ({ status }) => only(status === 'open', 'it is not open'),
      reduce: (state, _nothing, { origin: { actor = '' } }) => ({
        ...state,
        status: 'acknowledged',
        owner: actor,
      }),
    }),
    plan_proposed: event({
      schema: z.strictObject({ plan: z.string().max(500) }),
      by: [{ source: 'model' }],
      reduce: (state, { plan }) => ({ ...state, plan }),
    }),
    restarted: event({ schema: nothing, by: [{ source: 'model' }], reduce: (state) => state }),
    resolved: event({
      schema: nothing,
      by: [responder],
      guard: ({ status }) => only(status === 'acknowledged', 'nobody has acknowledged it'),
      reduce: (state) => ({ ...state, status: 'resolved' }),
    }),
  },
  effects: [
    {
      name: 'page',
      due: ({ what, pagesWanted, pagesSent }) =>
        pagesWanted > pagesSent && { key: `page ${pagesWanted}`, input: { what } },
    },
  ],
  deadlines: [
    {
      name: 'escalate',
      due: ({ status, openedAt }) =>
        status === 'open' && {
          key: 'first',
          at: openedAt + ESCALATE_MS,
          propose: { type: 'escalated', data: {} },
        },
    },
  ],
})

const historian = defineAgent<Incident>({
  name: 'historian',
  description: 'Knows what helped in earlier incidents.',
  model: scriptedModel(() => 'In May a restart of the cache helped within a minute.'),
})

/** Without a key this script plays the model; a provider's model goes in its place. */
const script = scriptedModel(({ messages }) => {
  const last = messages.at(-1)
  if (last?.role !== 'tool') {
    return { toolCalls: [{ name: 'call_historian', input: { message: 'What helped before?' } }] }
  }
  if (!last.text.includes('cache')) return `${last.text} Watch it for ten minutes.`
  const tag = `<agent-event type="plan_proposed" data='{"plan":"Restart the cache"}' />`
  return { text: `A restart helped before. ${tag}`, toolCalls: [{ name: 'restart', input: {} }] }
})

const coordinator = defineAgent<Incident>({
  name: 'coordinator',
  model: script,
  instructions: ({ state }) => `Coordinate the response to: ${state.what}. Propose a plan.`,
  emits: ['plan_proposed', 'severity_set'],
  agents: [historian],
  tools: {
    restart: {
      description: 'Restarts the cache. A person must agree.',
      inputSchema: nothing,
      needsApproval: true,
      execute: () => 'The cache was restarted.',
    },
  },
})

export const app = (pager: string) =>
  defineApp<Incident>({
    name: 'incidents',
    domain: incidents,
    opens: ['reported'],
    agents: [coordinator],
    effects: {
      page: {
        retry: { attempts: 5, backoffMs: 200 },
        async run({ input, key, signal }) {
          const headers = { 'idempotency-key': key }
          const body = JSON.stringify(input)
          const { ok, status } = await fetch(pager, { method: 'POST', headers, body, signal })
          if (!ok) throw new Error(`The pager answered ${status}`)
          return { type: 'paged', data: {} }
        },
      },
    },
    roles: {
      responder: {
        read: 'all',
        propose: 'all',
        run: ['coordinator'],
        begin: true,
        answer: true,
        cancel: true,
      },
      auditor: { read: 'all' },
    },
  })
