import { defineAgent, defineDomain, scriptedModel, tool } from 'throughline'
import { z } from 'zod'

export interface Order {
  readonly refunded: number
}

const { event, domain } = defineDomain<Order>()

export const orders = domain({
  name: 'orders',
  initial: { refunded: 0 },
  events: {
    refunded: event({
      schema: z.strictObject({ pounds: z.number().positive().max(200) }),
      by: [{ source: 'model' }],
      reduce: ({ refunded }, { pounds }) => ({ refunded: refunded + pounds }),
    }),
  },
})

/** A tool of the page: the customer takes the photo there. */
const photo = tool({
  description: 'A photo of the broken part.',
  inputSchema: z.object({ of: z.string() }),
})

const story =
  'This is a long answer, so that you can load the page again in the middle of it, ' +
  'open a second tab, or stop it. It comes word by word, and every tab has all of its words. The end.'

/** Stands for a model, so that the example needs no key. */
const model = scriptedModel(
  ({ messages }) => {
    const last = messages.at(-1)
    const said = last?.text ?? ''
    if (last?.role === 'tool') return `Thank you: ${said}`
    if (said.includes('refund')) return call('refund', { pounds: 89 })
    if (said.includes('broken')) return call('photo', { of: 'the lamp' })
    return story
  },
  { chunkLength: 8, chunkDelayMs: Number(process.env['PAUSE_MS'] ?? 60) },
)

function call(name: string, input: Readonly<Record<string, string | number>>) {
  return { toolCalls: [{ name, input }] }
}

export const desk = defineAgent({
  domain: orders,
  name: 'desk',
  model,
  tools: {
    photo,
    refund: {
      description: 'Pays money back.',
      inputSchema: z.object({ pounds: z.number().max(200) }),
      needsApproval: true,
      proposes: ['refunded'],
      execute: async ({ pounds }, { propose }) => {
        await propose([{ type: 'refunded', data: { pounds } }])
        return `£${pounds} is on its way`
      },
    },
  },
})
