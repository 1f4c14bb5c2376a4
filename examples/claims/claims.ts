import { defineAgent, defineApp, defineDomain, scriptedModel, tool } from 'throughline'
import type { LanguageModel } from 'throughline'
import { z } from 'zod'

export interface Claim {
  readonly status: 'new' | 'reported' | 'referred' | 'approved' | 'paid'
  readonly policy: string
  readonly name: string
  readonly pounds: number
}

/** Above it, a handler decides about the claim. */
const REFERRED_ABOVE = 5_000
const { event, domain } = defineDomain<Claim>()
const handler = { source: 'ui', surface: 'handler' } as const
const pounds = z.number().positive().max(100_000)

export const claims = domain({
  name: 'claims',
  initial: { status: 'new', policy: '', name: '', pounds: 0 },
  events: {
    reported: event({
      schema: z.strictObject({ policy: z.string(), name: z.string(), what: z.string().max(500) }),
      by: [{ source: 'model' }],
      from: { status: 'new' },
      personal: ['name', 'what'],
      reduce: (claim, { policy, name }) => ({ ...claim, status: 'reported', policy, name }),
    }),
    assessed: event({
      schema: z.strictObject({ pounds }),
      by: [{ source: 'model' }, handler],
      from: { status: ['reported', 'referred'], pounds: 0 },
      reduce: (claim, assessed) => ({ ...claim, ...assessed }),
    }),
    referred: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      from: { status: 'reported' },
      reduce: (claim) => ({ ...claim, status: 'referred' }),
    }),
    approved: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }, handler],
      from: { status: ['reported', 'referred'] },
      reduce: (claim) => ({ ...claim, status: 'approved' }),
    }),
    paid: event({
      schema: z.strictObject({ pounds, askedBy: z.string() }),
      by: [{ source: 'model' }],
      from: { status: 'approved' },
      guard: (_claim, { askedBy }, { origin: { approvedBy } }) =>
        approvedBy?.role === 'handler' && approvedBy.actor !== askedBy
          ? undefined
          : { refused: 'precondition', detail: 'a handler has to approve it, who did not ask' },
      reduce: (claim) => ({ ...claim, status: 'paid' }),
    }),
  },
  rules: [
    {
      name: 'refer or approve',
      propose: ({ status, pounds: assessed }) => {
        if (status !== 'reported' || assessed === 0) return []
        return [{ type: assessed > REFERRED_ABOVE ? 'referred' : 'approved', data: {} }]
      },
    },
  ],
})

const fraud = defineAgent({
  name: 'fraud',
  description: 'Says whether a claim looks like fraud.',
  model: scriptedModel(() => 'No sign of fraud.'),
})

const lookUpPolicy = tool({
  description: 'Looks up a policy of the person who asks.',
  inputSchema: z.object({ policy: z.string() }),
  execute({ policy }, { context: { policies } }) {
    const isOwn = Array.isArray(policies) && policies.includes(policy)
    return isOwn ? { policy, cover: 'comprehensive' } : { error: 'no policy of theirs' }
  },
})

/** Plays the model without a key; one of an AI SDK provider goes in its place. */
const script = scriptedModel(({ messages, system }) => {
  const last = messages.at(-1)
  const said = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const [, name = ''] = /I am ([\w ]+),/.exec(said) ?? []
  const policy = /P-\d+/.exec(said)?.[0] ?? ''
  if (last?.role === 'tool' && last.text.includes('no policy')) return 'That is no policy of yours.'
  if (last?.role === 'tool' && last.text.includes('cover')) {
    return { toolCalls: [{ name: 'call_fraud', input: { message: said } }] }
  }
  if (last?.role === 'tool' && last.text.includes('fraud')) {
    const data = JSON.stringify({ policy, name, what: said })
    const text = `I have taken it down. <agent-event type="reported" data='${data}' />`
    return { text, toolCalls: [{ name: 'take_photo', input: { what: 'the damage' } }] }
  }
  if (last?.role === 'tool' && last.text.includes('.jpg')) {
    return `Thank you for ${last.text}. <agent-event type="assessed" data='{"pounds":6200}' />`
  }
  if (last?.role === 'tool') return 'A handler decides about the payment. I tell you.'
  if (said.startsWith('[The call')) return `News of your payment: ${said}`
  if (/pay/i.test(said)) return { toolCalls: [{ name: 'pay', input: { pounds: 6_200 } }] }
  if (policy !== '') return { toolCalls: [{ name: 'look_up_policy', input: { policy } }] }
  return `${system} What else can I do?`
})

const triage = (model: LanguageModel) =>
  defineAgent({
    domain: claims,
    name: 'triage',
    instructions: ({ state }) => `The claim is ${state.status}.`,
    emits: ['reported', 'assessed'],
    agents: [fraud],
    tools: {
      look_up_policy: lookUpPolicy,
      take_photo: { inputSchema: z.object({ what: z.string() }) },
      pay: {
        description: 'Pays the claim. A handler must agree.',
        inputSchema: z.object({ pounds }),
        needsApproval: { by: 'handler' },
        approval: (asked) => ({ question: `Pay £${asked.pounds}?`, accept: `Pay £${asked.pounds}` }),
        proposes: ['paid'],
        async execute(asked, { propose, actor = '' }) {
          const paid = { type: 'paid', data: { pounds: asked.pounds, askedBy: actor } } as const
          const { refused } = await propose([paid])
          return refused[0]?.detail ?? `£${asked.pounds} is paid`
        },
      },
    },
    model,
  })

export const app = (model: LanguageModel = script) =>
  defineApp({
    name: 'claims',
    domain: claims,
    domainVersion: '1',
    agents: [triage(model)],
    index: { status: ({ status }) => status },
    roles: {
      holder: { read: 'all', run: 'all', begin: true, cancel: true },
      handler: { read: 'all', propose: ['approved', 'assessed'], answer: { approvals: ['pay'] } },
      auditor: { read: 'redacted' },
    },
  })
