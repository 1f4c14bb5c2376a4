import { z } from 'zod'
import { defineAgent, defineApp, defineDomain, scriptedModel, tool } from 'throughline'
import type { VirtualTime } from './virtual-time.ts'

export interface Order {
  readonly n: number
  readonly at: number
  readonly isPacked: boolean
  readonly end: 'charged' | 'lapsed' | undefined
}

export interface Shop {
  readonly orders: Readonly<Record<string, Order>>
  readonly notes: readonly string[]
}

/** After this time an order that is not charged lapses, in milliseconds. */
export const LAPSES_MS = 20_000

const { event, domain } = defineDomain<Shop>()
const one = z.strictObject({ n: z.int() })

function ended(state: Shop, n: number, end: Order['end']): Shop {
  const order = state.orders[n]
  return order ? { ...state, orders: { ...state.orders, [n]: { ...order, end } } } : state
}

function unlessEnded({ orders }: Shop, { n }: { readonly n: number }) {
  if (orders[n]?.end === undefined) return undefined
  return { refused: 'precondition', detail: 'the order has ended' } as const
}

/** Orders that a rule packs, an effect charges, and a deadline lets lapse. */
export const shop = domain({
  name: 'shop',
  initial: { orders: {}, notes: [] },
  events: {
    ordered: event({
      schema: one,
      by: [{ source: 'ui' }],
      guard: ({ orders }, { n }) =>
        orders[n] ? { refused: 'precondition', detail: 'it is ordered' } : undefined,
      reduce: (state, { n }, { ts }) => ({
        ...state,
        orders: { ...state.orders, [n]: { n, at: ts, isPacked: false, end: undefined } },
      }),
    }),
    packed: event({
      schema: one,
      by: [{ source: 'rule' }],
      reduce: (state, { n }) => {
        const order = state.orders[n]
        return order
          ? { ...state, orders: { ...state.orders, [n]: { ...order, isPacked: true } } }
          : state
      },
    }),
    charged: event({
      schema: one,
      by: [{ source: 'system' }],
      guard: unlessEnded,
      reduce: (state, { n }) => ended(state, n, 'charged'),
    }),
    lapsed: event({
      schema: one,
      by: [{ source: 'system' }],
      guard: unlessEnded,
      reduce: (state, { n }) => ended(state, n, 'lapsed'),
    }),
    noted: event({
      schema: z.strictObject({ text: z.string() }),
      by: [{ source: 'model' }],
      reduce: (state, { text }) => ({ ...state, notes: [...state.notes, text] }),
    }),
  },
  rules: [
    {
      name: 'pack',
      propose: ({ orders }) =>
        Object.values(orders)
          .filter(({ isPacked }) => !isPacked)
          .map(({ n }) => ({ type: 'packed' as const, data: { n } })),
    },
  ],
  effects: [
    {
      name: 'charge',
      due: ({ orders }) =>
        Object.values(orders)
          .filter(({ isPacked, end }) => isPacked && end === undefined)
          .map(({ n }) => ({ key: `order ${n}`, input: { n } })),
    },
  ],
  deadlines: [
    {
      name: 'lapse',
      due: ({ orders }) =>
        Object.values(orders)
          .filter(({ end }) => end === undefined)
          .map(({ n, at }) => ({
            key: `order ${n}`,
            at: at + LAPSES_MS,
            propose: { type: 'lapsed' as const, data: { n } },
          })),
    },
  ],
})

export interface ShopWorld {
  readonly time: VirtualTime
  readonly random: () => number
}

/** The shop with a clerk who looks something up, and then answers each message with one note. */
export function shopIn({ time, random }: ShopWorld) {
  const look = tool({
    inputSchema: z.strictObject({ message: z.string() }),
    execute: async ({ message }) => {
      await time.sleep(3_000 * random() ** 3)
      return `Seen: ${message}`
    },
  })
  const model = scriptedModel(
    async ({ messages }) => {
      await time.sleep(1_000 * random() ** 2)
      if (random() < 0.03) return { fail: new Error('The provider is overloaded') }
      const last = messages.at(-1)
      const asked = messages.findLast(({ role }) => role === 'user')?.text ?? ''
      // The engine tells it before the message what became of its last event.
      const said = /message \d+$/.exec(asked)?.[0] ?? asked
      if (last?.role === 'user') return { toolCalls: [{ name: 'look', input: { message: said } }] }
      return `It is done. <agent-event type="noted" data='${JSON.stringify({ text: said })}' /> Anything else?`
    },
    { chunkDelayMs: 20 },
  )
  const clerk = defineAgent({
    name: 'clerk',
    model,
    emits: ['noted'],
    tools: { look },
    afterCrash: random() < 0.5 ? 'fail' : 'again',
  })
  return defineApp({
    name: 'shop',
    domain: shop,
    agents: [clerk],
    effects: {
      charge: {
        retry: { attempts: 20, backoffMs: 500 },
        timeoutMs: 10_000,
        run: async ({ input }) => {
          await time.sleep(4_000 * random() ** 2)
          if (random() < 0.2) throw new Error('The bank does not answer')
          return { type: 'charged', data: { n: input.n } }
        },
      },
    },
  })
}
