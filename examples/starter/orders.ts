import { z } from 'zod'
import { defineAgent, defineDomain, scriptedModel } from 'throughline'

export interface Order {
  readonly status: 'empty' | 'placed' | 'paid'
  readonly pounds: number
}

const { event, domain } = defineDomain<Order>()

/** The clerk may place an order. Only a person's click pays it. */
export const orders = domain({
  name: 'orders',
  initial: { status: 'empty', pounds: 0 },
  events: {
    placed: event({
      schema: z.object({ pounds: z.number().positive().max(500) }),
      by: [{ source: 'model' }, { source: 'ui' }],
      guard: ({ status }) =>
        status === 'paid' ? { refused: 'precondition', detail: 'the order is paid' } : undefined,
      reduce: (_order, { pounds }) => ({ status: 'placed', pounds }),
    }),
    paid: event({
      schema: z.object({}),
      by: [{ source: 'ui' }],
      guard: ({ status }) =>
        status === 'placed'
          ? undefined
          : { refused: 'precondition', detail: 'there is no order to pay' },
      reduce: (order) => ({ ...order, status: 'paid' }),
    }),
  },
})

/** A script plays the clerk. A real one: `npm install @ai-sdk/anthropic`, `model: anthropic('…')`. */
export const clerk = defineAgent({
  domain: orders,
  name: 'clerk',
  instructions: 'You take orders for tea. Place the order; the customer pays by a click.',
  emits: ['placed'],
  model: scriptedModel(
    () => `Gladly: tea for £40. <agent-event type="placed" data='{"pounds":40}' />`,
  ),
})
