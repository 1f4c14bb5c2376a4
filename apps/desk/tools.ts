import { setTimeout as wait } from 'node:timers/promises'
import { tool } from 'throughline'
import type { Tool, ToolContext } from 'throughline'
import { z } from 'zod'
import { findOrder, findParcel, money } from './order-book.ts'

/** What the desk may give back without asking a person. */
export const REFUND_ALONE_POUNDS_MAX = 50

const ORDER = z.object({ order: z.string().describe('The number of the order, four digits') })

export function lookUpOrder(): Tool {
  return tool({
    description: 'Looks an order up in the book: item, price, parcel.',
    inputSchema: ORDER,
    execute: ({ order }) => {
      const { number, item, pounds, parcel } = findOrder(order)
      return { order: number, item, price: money(pounds), parcel }
    },
  })
}

/** The archive is slow and says how far it is. */
export function searchArchive(paceMs: number): Tool {
  return tool({
    description: 'Searches the archive for what was paid for an order.',
    inputSchema: ORDER,
    async *execute({ order }, { progress, signal }) {
      const { number, pounds, paid } = findOrder(order)
      progress(`looking for the payments of order ${number}`)
      for (let box = 1; box <= 3; box++) {
        await wait(paceMs, undefined, { signal })
        yield { boxesSearched: box, of: 3 }
      }
      yield { order: number, paid: `${money(pounds)} ${paid}` }
    },
  })
}

/** For some parcels the carrier wants a postcode first: a question that comes from three levels down. */
export function traceParcel(paceMs: number): Tool {
  return tool({
    description: 'Asks the carrier where a parcel has been.',
    inputSchema: z.object({ parcel: z.string() }),
    async *execute({ parcel }, { progress, pause, values, signal }) {
      const { scans, trace } = findParcel(parcel)
      if (trace === 'asks_postcode' && !values) {
        yield pause({ postcode: `The carrier asks for the postcode that parcel ${parcel} went to` })
        return
      }
      if (values) progress('the carrier has the postcode')
      for (const scan of scans) {
        await wait(paceMs, undefined, { signal })
        yield { parcel, scan }
      }
      yield { parcel, lastSeen: scans.at(-1) ?? 'nowhere' }
    },
  })
}

export function readPolicy(): Tool {
  return tool({
    description: 'Reads what the shop promises its customers.',
    inputSchema: z.object({ topic: z.string() }),
    execute: () =>
      `What is broken, wrong or lost is refunded in full within 30 days. Up to ${money(REFUND_ALONE_POUNDS_MAX)} a photo is enough; above that a person of the shop must agree.`,
  })
}

export function askOrderNumber(): Tool {
  return tool({
    description: 'Asks the customer which order it is about, when they did not say.',
    inputSchema: z.object({}),
    execute: (_input: object, { values, pause }: ToolContext) =>
      values?.['order'] ?? pause({ order: 'Which order is it about? Its number has four digits' }),
  })
}

/** Has no `execute`: the customer's own page takes the picture and gives it as the result. */
export function customerPhoto(): Tool {
  return tool({
    description: "Takes a photo with the customer's own camera and says what is on it.",
    inputSchema: z.object({ of: z.string() }),
  })
}

/** A refund is known by its order, so made twice it is one. */
export function refund(paceMs: number): Tool {
  return tool({
    description: 'Gives money back for an order. A person of the shop is asked for larger sums.',
    inputSchema: z.object({
      order: z.string(),
      pounds: z.number().positive(),
      reason: z.string(),
    }),
    needsApproval: ({ pounds }) => pounds > REFUND_ALONE_POUNDS_MAX,
    approval: ({ order, pounds, reason }) => {
      const { number, item, pounds: price, paid } = findOrder(order)
      return {
        question: `Refund ${money(pounds)}?`,
        accept: `Refund ${money(pounds)}`,
        note: 'Nothing is paid until you agree.',
        facts: [
          { label: 'Order', value: `${number}, ${item}` },
          { label: 'Paid', value: `${money(price)} ${paid}` },
          { label: 'Goes back to', value: 'the way it was paid' },
          { label: 'Because', value: reason },
        ],
        reasons: [`Above ${money(REFUND_ALONE_POUNDS_MAX)} a person of the shop must agree`],
      }
    },
    async execute({ order, pounds }, { progress, signal }) {
      const { number, item, pounds: price } = findOrder(order)
      if (pounds > price) throw new Error(`Cannot refund more than ${money(price)} for the ${item}`)
      progress('asking the bank')
      await wait(paceMs, undefined, { signal })
      progress('the bank agrees')
      return { reference: `R-${number}`, refunded: money(pounds) }
    },
  })
}
