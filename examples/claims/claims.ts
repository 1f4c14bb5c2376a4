import { defineAgent, defineApp, defineDomain, scriptedModel } from 'throughline'
import { z } from 'zod'
import { script } from './script.ts'

export interface Claim {
  readonly status: 'new' | 'reported' | 'referred' | 'approved' | 'paid'
  readonly policy: string
  readonly name: string
  readonly pounds: number
}

const { event, domain } = defineDomain<Claim>()
const model = [{ source: 'model' }] as const
const pounds = z.number().positive().max(100_000)
const to = (status: Claim['status']) => (claim: Claim) => ({ ...claim, status })

const onlyAssessedIsPaid = ({ status, pounds: assessed }: Claim) =>
  status !== 'paid' || assessed > 0

const claims = domain({
  name: 'claims',
  invariants: [onlyAssessedIsPaid],
  initial: { status: 'new', policy: '', name: '', pounds: 0 },
  events: {
    reported: event({
      schema: z.strictObject({ policy: z.string(), name: z.string(), what: z.string().max(500) }),
      by: model,
      from: { status: 'new' },
      personal: ['name', 'what'],
      reduce: (claim, { policy, name }) => ({ ...claim, status: 'reported', policy, name }),
    }),
    assessed: event({
      schema: z.strictObject({ pounds }),
      by: model,
      from: { status: 'reported', pounds: 0 },
      reduce: (claim, assessed) => ({ ...claim, ...assessed }),
    }),
    referred: event({ schema: z.object({}), by: [{ source: 'rule' }], reduce: to('referred') }),
    approved: event({
      schema: z.object({}),
      by: [{ source: 'rule' }, { source: 'ui', surface: 'handler' }],
      from: { status: ['reported', 'referred'] },
      reduce: to('approved'),
    }),
    paid: event({
      schema: z.strictObject({ askedBy: z.string().min(1) }),
      by: model,
      from: { status: 'approved' },
      guard: (_claim, { askedBy }, { origin: { approvedBy } }) =>
        approvedBy?.actor !== undefined && approvedBy.actor !== askedBy
          ? undefined
          : { refused: 'precondition', detail: 'a handler who did not ask has to approve it' },
      reduce: to('paid'),
    }),
  },
  rules: [
    {
      name: 'refer or approve',
      propose: ({ status, pounds: assessed }) => {
        if (status !== 'reported' || assessed === 0) return []
        return [{ type: assessed > 5_000 ? 'referred' : 'approved', data: {} }]
      },
    },
  ],
})

const fraud = defineAgent({
  name: 'fraud',
  description: 'Says whether a claim looks like fraud.',
  model: scriptedModel(() => 'No sign of fraud.'),
})

const triage = defineAgent({
  domain: claims,
  name: 'triage',
  instructions: ({ state }) => `You take motor claims. This one is ${state.status}.`,
  emits: ['reported', 'assessed'],
  agents: [fraud],
  afterCrash: 'again',
  tools: {
    look_up_policy: {
      inputSchema: z.object({ policy: z.string() }),
      execute({ policy }, { context: { policies } }) {
        // A turn that runs again after a crash has no context.
        if (!Array.isArray(policies)) return 'I was cut off: please say it again.'
        const isOwn = policies.includes(policy)
        return isOwn ? { policy, cover: 'comprehensive' } : 'That is no policy of yours.'
      },
    },
    take_photo: { inputSchema: z.object({}) },
    pay: {
      description: 'Pays the claim. A handler must agree.',
      inputSchema: z.object({ pounds }),
      needsApproval: { by: 'handler', fourEyes: true },
      approval: (asked) => ({ question: `Pay £${asked.pounds}?`, accept: `Pay £${asked.pounds}` }),
      proposes: ['paid'],
      async execute(asked, { propose, actor: askedBy = '' }) {
        const { refused } = await propose([{ type: 'paid', data: { askedBy } }])
        return refused[0]?.detail ?? `£${asked.pounds} is paid`
      },
    },
  },
  model: scriptedModel(script),
})

export const app = defineApp({
  name: 'claims',
  domain: claims,
  agents: [triage],
  roles: {
    holder: { read: 'all', run: 'all', begin: true, cancel: true },
    handler: { read: 'all', propose: ['approved'], answer: { approvals: ['pay'] } },
    auditor: { read: 'redacted' },
  },
})
