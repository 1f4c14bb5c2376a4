import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { defineApp } from './index.ts'
import type { Throughline, ThreadsQuery } from './index.ts'
import { names, newIndex, start } from './tickets.fixture.ts'

interface Claim {
  readonly amount?: number
  readonly customer?: string
}

const { event, domain } = defineDomain<Claim>()
const claims = domain({
  name: 'claims',
  initial: {},
  events: {
    filed: event({
      schema: z.object({ amount: z.number(), customer: z.string() }),
      by: [{ source: 'ui' }],
      reduce: (_state, data) => data,
    }),
  },
})
const app = defineApp<Claim>({
  name: 'claims',
  domain: claims,
  domainVersion: '1',
  index: { amount: ({ amount }) => amount, customer: ({ customer }) => customer },
})
const file = (tl: Throughline, thread: string, [amount, customer = thread]: [number, string?]) =>
  tl.propose(thread, [{ type: 'filed', data: { amount, customer } }])

test.each(['memory', 'sqlite'])(
  'threads in %s are found by range, ordered and counted',
  async (kind) => {
    const tl = await start({ apps: [app], ...(kind === 'sqlite' && { threadIndex: newIndex() }) })
    for (const [at, amount] of [20, -5, 100, 9, 20].entries()) await file(tl, `t${at}`, [amount])
    const found = async (query: ThreadsQuery) => names((await tl.threads(query)).threads)
    expect(await found({ where: { amount: { gte: 9, lt: 100 } } })).toEqual(['t4', 't3', 't0'])
    expect(await found({ where: { customer: { gt: 't1', lte: 't3' } } })).toEqual(['t3', 't2'])
    expect(await found({ orderBy: { amount: 'desc' } })).toEqual(['t2', 't4', 't0', 't3', 't1'])
    expect(await found({ orderBy: { amount: 'asc' }, limit: 2 })).toEqual(['t1', 't3'])
    expect(await tl.countThreads()).toBe(5)
    expect(await tl.countThreads({ app: 'claims', where: { amount: { gt: 9 } } })).toBe(3)
    await file(tl, 't1', [50])
    expect(await tl.countThreads({ where: { amount: { gt: 9 } } })).toBe(4)
    await tl.close()
  },
)

test.each(['asc', 'desc'] as const)(
  'pages by a value, %s, lose no thread that stays where it is',
  async (direction) => {
    const tl = await start({ apps: [app] })
    for (let at = 0; at < 12; at++) await file(tl, `t${at}`, [at % 2, at % 3 ? 'a'.repeat(at) : ''])
    for (const name of ['amount', 'customer']) {
      const orderBy = { [name]: direction }
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await tl.threads({ orderBy, limit: 5, ...(after !== undefined && { after }) })
        seen.push(...names(page.threads))
        after = page.next
        await file(tl, `new-${seen.length}`, [0.5, 'new'])
      } while (after !== undefined && seen.length < 50)
      const stayed = seen.filter((thread) => !thread.startsWith('new'))
      expect(new Set(stayed).size).toBe(12)
      expect(stayed).toHaveLength(12)
    }
    await tl.close()
  },
)

test('a cursor serves its own order alone, and shows neither a rank nor a value', async () => {
  const tl = await start({ apps: [app] })
  for (let at = 0; at < 3; at++) await file(tl, `t${at}`, [at, 'secret'.repeat(at + 1)])
  const next = async (orderBy: ThreadsQuery['orderBy'], limit = 1) =>
    (await tl.threads({ limit, ...(orderBy && { orderBy }) })).next ?? ''
  const [byCustomer, longer] = [await next({ customer: 'asc' }), await next({ customer: 'asc' }, 2)]
  expect(byCustomer).toMatch(/^[0-9a-f]+$/)
  expect(byCustomer).toHaveLength(longer.length)
  expect(byCustomer.slice(16)).not.toContain(Buffer.from('ecret').toString('hex'))
  for (const orderBy of [undefined, { customer: 'desc' }, { amount: 'asc' }] as const) {
    await expect(
      tl.threads({ after: byCustomer, ...(orderBy && { orderBy }) }),
    ).rejects.toMatchObject({ code: 'invalid_query' })
  }
  const byRank = await next(undefined)
  await expect(tl.threads({ after: byRank, orderBy: { amount: 'asc' } })).rejects.toMatchObject({
    code: 'invalid_query',
  })
  await tl.close()
})

test.each([
  [{ where: { amount: { gte: Number.NaN } } }, 'its "gte" is NaN; give a text or a finite number'],
  [{ where: { amount: { lt: -Infinity } } }, 'its "lt" is -Infinity'],
  [{ where: { amount: { gte: 1, lt: '2' } } }, 'its bounds are a text and a number'],
  [{ where: { amount: { gte: true as never } } }, 'its "gte" is neither a text nor a number'],
  [{ where: { amount: { gte: null as never } } }, 'its "gte" is neither a text nor a number'],
  [{ where: { amount: { gte: 1, gt: 1 } } }, 'it has "gte", "gt"; give one of them'],
  [{ where: { amount: {} } }, 'it has no bound; give "gte", "gt", "lte", "lt"'],
  [{ where: { amount: { above: 1 } as never } }, 'it has no bound "above"'],
  [{ where: { customer: { gte: 'x'.repeat(257) } } }, 'a text of 257 characters'],
  [{ where: { amuont: { gte: 1 } } }, 'declared: "amount", "customer"'],
  [{ orderBy: { amuont: 'asc' } }, 'declared: "amount", "customer"'],
  [{ orderBy: { amount: 'up' as never } }, 'its direction is neither "asc" nor "desc"'],
  [{ orderBy: { amount: 'asc', customer: 'asc' } }, 'give one name of the index'],
  [{ orderBy: {} }, 'give one name of the index'],
  [{ wher: { amount: 1 } } as ThreadsQuery, 'it has an unknown "wher": did you mean "where"?'],
] satisfies [ThreadsQuery, string][])('the query %j is refused', async (query, why) => {
  const tl = await start({ apps: [app] })
  const refused = expect.objectContaining({
    code: 'invalid_query',
    message: expect.stringContaining(why),
  })
  await expect(tl.threads(query)).rejects.toEqual(refused)
  if (!('orderBy' in query)) await expect(tl.countThreads(query)).rejects.toEqual(refused)
  await tl.close()
})
