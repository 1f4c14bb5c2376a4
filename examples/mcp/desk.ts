import { defineAgent, defineApp, defineDomain, scriptedModel, tool } from 'throughline'
import { z } from 'zod'

const { event, domain } = defineDomain<{ readonly refunded: number }>()

const orders = domain({
  name: 'orders',
  initial: { refunded: 0 },
  events: {
    refunded: event({
      schema: z.strictObject({ pounds: z.number().positive() }),
      by: [{ source: 'model' }],
      reduce: ({ refunded }, { pounds }) => ({ refunded: refunded + pounds }),
    }),
  },
})

const refund = tool({
  description: 'Pays money back.',
  inputSchema: z.strictObject({ pounds: z.number() }),
  needsApproval: true,
  approval: ({ pounds }) => ({ question: `Refund £${pounds}?`, accept: `Refund £${pounds}` }),
  proposes: ['refunded'],
  execute: async ({ pounds }, { propose }) => {
    await propose([{ type: 'refunded', data: { pounds } }])
    return `Refunded £${pounds}`
  },
})

/** Stands in for a model, so that the example needs no key. */
const model = scriptedModel(({ messages }) => {
  const { role, text = '' } = messages.at(-1) ?? {}
  if (role === 'tool')
    return text.startsWith('Refunded') ? `${text}. Anything else?` : 'Nothing was paid.'
  const [, pounds] = /refund (\d+)/i.exec(text) ?? []
  if (pounds === undefined) return 'Say "refund" and an amount.'
  return { text: 'One moment.', toolCalls: [{ name: 'refund', input: { pounds: Number(pounds) } }] }
})

const desk = defineAgent({
  domain: orders,
  name: 'desk',
  description: 'The refunds desk of a shop. It pays only what a person approves.',
  model,
  tools: { refund },
})

export const app = defineApp({ name: 'shop', domain: orders, agents: [desk] })
