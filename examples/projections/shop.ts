import { z } from 'zod'
import { defineApp, defineDomain } from 'throughline'
import type { Throughline } from 'throughline'

const { event, domain } = defineDomain<{ readonly pounds: number }>()

const till = domain({
  name: 'till',
  initial: { pounds: 0 },
  events: {
    sold: event({
      schema: z.object({ item: z.string(), pounds: z.number().positive() }),
      by: [{ source: 'ui' }],
      reduce: ({ pounds }, sale) => ({ pounds: pounds + sale.pounds }),
    }),
  },
})

export const shop = defineApp({ name: 'shop', domain: till })

/** Sells things at ten tills, as the pages of a shop would. */
export async function sell(tl: Throughline, sales: number): Promise<void> {
  for (let n = 0; n < sales; n++) {
    const data = { item: `item ${n}`, pounds: 1 + n }
    await tl.propose(`till-${process.pid}-${n % 10}`, [{ type: 'sold', data }])
    if (n % 10 === 9) console.log(`sold ${n + 1}`)
  }
}
