import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import { defineApp } from './index.ts'
import { newLog, start } from './tickets.fixture.ts'

const THREADS = 200

/** An application whose agent and event carry its name. */
function named(name: string) {
  const { event, domain } = defineDomain<{ readonly count: number }>()
  const counted = event({
    schema: z.object({}),
    by: [{ source: 'ui' }],
    reduce: ({ count }) => ({ count: count + 1 }),
  })
  const agent = defineAgent({ name: `${name}_agent`, model: scriptedModel(() => `I am ${name}.`) })
  const own = domain({ name, initial: { count: 0 }, events: { [`${name}_event`]: counted } })
  return defineApp({ name, domain: own, agents: [agent] })
}

/** Events that open a thread: alone, or in a turn that also has a model's answer. */
const openings = {
  event: (tl: Awaited<ReturnType<typeof start>>, thread: string, name: string) =>
    tl.propose(thread, [{ type: `${name}_event`, data: {} }]),
  turn: (tl: Awaited<ReturnType<typeof start>>, thread: string, name: string) =>
    tl.turn(thread, { agent: `${name}_agent`, input: 'Who are you?' }).result,
}

test.for([
  ['event', 'event'],
  ['event', 'turn'],
  ['turn', 'turn'],
] as const)(
  '[X21] of two applications that begin one thread at once, by %s and by %s, one begins it',
  async ([one, other], { annotate }) => {
    const log = newLog()
    const tl = await start({ log, apps: [named('a'), named('b')] })
    let mixed = 0
    for (let n = 0; n < THREADS; n++) {
      const thread = `t${n}`
      const settled = await Promise.allSettled([
        openings[one](tl, thread, 'a'),
        openings[other](tl, thread, 'b'),
      ])
      const lost = settled.filter(({ status }) => status === 'rejected')
      expect(lost).toMatchObject([{ reason: { code: 'unknown_thread' } }])
      const types = new Set<string>()
      for await (const records of log.read(thread)) {
        for (const { type, origin } of records) {
          types.add(origin.agent?.slice(0, 1) ?? type.slice(0, 1))
        }
      }
      if (types.size !== 1) mixed += 1
    }
    expect(mixed).toBe(0)
    await tl.close()
    await annotate(`${mixed} of ${THREADS} threads belong to two applications`, 'promise')
  },
)

test('[X21] an application cannot write to a thread of another, by any of its ways', async () => {
  const [a, b] = [named('a'), named('b')]
  const log = newLog()
  const tl = await start({ log, apps: [a, b] })
  await tl.propose('t', [{ type: 'a_event', data: {} }])
  const { gate, runs } = tl.app<unknown>('b')
  const as = { source: 'ui' } as const
  const note = { type: 'CUSTOM', data: { name: 'x', value: 1 }, origin: { ...as, depth: 0 } }
  const ways = [
    tl.app<unknown>('b').propose('t', [{ type: 'b_event', data: {} }], { as }),
    gate.append('t', [note]),
    gate.commit('t', []),
    runs.start('t', { agent: 'b_agent', input: 'Hi' }).result,
  ]
  for (const way of ways) await expect(way).rejects.toMatchObject({ code: 'unknown_thread' })
  expect(await log.head('t')).toBe(0)
  await tl.close()
})
