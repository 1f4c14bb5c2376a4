import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import type { Agent } from './define/agent.ts'

export interface Claim {
  readonly paid: number
}

const { event, domain } = defineDomain<Claim>()
export const claims = domain({
  name: 'claims',
  initial: { paid: 0 },
  events: {
    paid: event({
      schema: z.object({ pounds: z.number(), asker: z.string() }),
      by: [{ source: 'model' }],
      guard: (_state, { asker }, { origin }) =>
        origin.approvedBy?.actor === asker
          ? { refused: 'precondition', detail: 'payer and approver are one person' }
          : undefined,
      reduce: ({ paid }, { pounds }) => ({ paid: paid + pounds }),
    }),
  },
})

/** Pays what it is asked to, and repeats what it is told of each payment. */
export const payer = (surface?: string): Agent<Claim> =>
  defineAgent({
    name: 'payer',
    domain: claims,
    ...(surface !== undefined && { surface }),
    tools: {
      pay: {
        inputSchema: z.object({ pounds: z.number() }),
        needsApproval: { by: ['handler', 'chief'], if: ({ pounds }) => pounds > 10 },
        approval: ({ pounds }) => ({ question: `Pay £${pounds}?` }),
        proposes: ['paid'],
        execute: async ({ pounds }, { propose, actor = '', role, context, approvedBy }) => {
          const { refused } = await propose([{ type: 'paid', data: { pounds, asker: actor } }])
          const who = JSON.stringify({ actor, role, context, approvedBy })
          return refused[0]?.detail ?? `£${pounds} paid, ${who}`
        },
      },
      name: {
        inputSchema: z.object({}),
        execute: (_input, { ask }) => ask(z.object({ name: z.string() }), { name: 'Your name?' }),
      },
    },
    model: scriptedModel(({ messages }): ScriptedReply => {
      const last = messages.at(-1)
      if (last?.role === 'tool')
        return last.text.startsWith('Not run yet') ? 'It waits.' : last.text
      const said = last?.text ?? ''
      if (said.startsWith('[The call')) return `Told: ${said}`
      const [, pounds] = /pay (\d+)/.exec(said) ?? []
      if (pounds) return { toolCalls: [{ name: 'pay', input: { pounds: Number(pounds) } }] }
      return said === 'name' ? { toolCalls: [{ name: 'name', input: {} }] } : `You said ${said}`
    }),
  })

export const ann = { actor: 'ann', role: 'holder', requestContext: { policy: 'P-1' } }
