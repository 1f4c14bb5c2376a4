import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ManualClock } from './public/testing.ts'
import { defineAgent, defineApp, defineDomain, open, scriptedModel } from './public/index.ts'
import { freshPath } from './storage/sqlite-folder.fixture.ts'

const IDLE_MS = 60_000

const { event, domain } = defineDomain<{ readonly asked: number; readonly idle: boolean }>()
const talks = domain({
  name: 'talks',
  initial: { asked: 0, idle: false },
  events: {
    asked: event({
      schema: z.object({}),
      by: [{ source: 'ui' }, { source: 'model' }],
      reduce: (state) => ({ ...state, asked: state.asked + 1 }),
    }),
    idle: event({
      schema: z.object({}),
      by: [{ source: 'system' }],
      reduce: (state) => ({ ...state, idle: true }),
    }),
  },
  deadlines: [
    {
      name: 'idle',
      due: ({ asked, idle }, { activeAt }) =>
        asked > 0 &&
        !idle && {
          key: String(activeAt),
          at: activeAt + IDLE_MS,
          propose: { type: 'idle', data: {} },
        },
    },
  ],
})

const app = defineApp({
  name: 'talks',
  domain: talks,
  agents: [defineAgent({ name: 'a', domain: talks, model: scriptedModel(() => 'Hello.') })],
})

test.each(['memory:', 'sqlite'])(
  'all records in %s have the time of the clock, so that a deadline on the last activity fires',
  async (kind) => {
    const clock = new ManualClock(1_000)
    const store = kind === 'sqlite' ? `sqlite:${freshPath()}` : kind
    const tl = await open({ store, clock, apps: [app] })
    onTestFinished(() => tl.close())
    await tl.propose('t', [{ type: 'asked', data: {} }])
    clock.advance(IDLE_MS - 1)
    await tl.turn('t', { agent: 'a', input: 'Hi' }).result
    const times = new Set<number>()
    for await (const records of tl.log.read('t')) for (const { ts } of records) times.add(ts)
    expect([...times]).toEqual([1_000, 1_000 + IDLE_MS - 1])
    clock.advance(IDLE_MS - 1)
    await tl.settled()
    expect((await tl.state('t')).state.idle).toBe(false)
    clock.advance(1)
    await tl.settled()
    expect((await tl.state('t')).state.idle).toBe(true)
  },
)
