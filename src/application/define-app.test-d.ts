import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import type { EffectContext } from '../due-work/index.ts'
import { defineAgent, defineApp, defineDomain, open, scriptedModel } from '../public/index.ts'
import type { Throughline } from '../public/index.ts'
import { routes } from '../server/index.ts'

interface Door {
  readonly isOpen: boolean
}

const { event, domain } = defineDomain<Door>()
const opened = event({
  schema: z.object({ by: z.string() }),
  by: [{ source: 'ui' }],
  reduce: () => ({ isOpen: true }),
})
const doors = domain({ name: 'doors', initial: { isOpen: false }, events: { opened } })
const model = scriptedModel(() => 'Welcome.')
const porter = defineAgent({ domain: doors, name: 'porter', model })
const guide = defineAgent({ name: 'guide', model })

const app = defineApp({ name: 'doors', domain: doors, agents: [porter] })
const talk = defineApp({ name: 'talk', agents: [guide] })
const tl = await open({ store: 'memory:', apps: [app] })

expectTypeOf((await tl.state('t')).state).toEqualTypeOf<Door>()
expectTypeOf((await tl.turn('t', { agent: 'porter' }).result).state).toEqualTypeOf<Door>()
const proposed = await tl.propose('t', [{ type: 'opened', data: { by: 'ann' } }])
expectTypeOf(proposed.state).toEqualTypeOf<Door>()
expectTypeOf(proposed.refused[0]?.reason).toEqualTypeOf<
  NonNullable<(typeof proposed)['answers'][number]['refusal']>['refused'] | undefined
>()
tl.turn('t', { agent: 'porter', events: [{ type: 'opened', data: { by: 'ann' } }] })

// @ts-expect-error there is no agent of this name
tl.turn('t', { agent: 'potter' })
// @ts-expect-error there is no event of this type
await tl.propose('t', [{ type: 'openned', data: { by: 'ann' } }])
// @ts-expect-error the event has other data
await tl.propose('t', [{ type: 'opened', data: { by: 7 } }])
// @ts-expect-error the same holds for the events of a turn
tl.turn('t', { agent: 'porter', events: [{ type: 'opened', data: {} }] })
// @ts-expect-error and for what a system proposes
await tl.as({ source: 'remote' }).propose('t', [{ type: 'closed', data: {} }])

const several = await open({ store: 'memory:', apps: [app, talk] })
several.turn('t', { agent: 'guide', input: 'Hello' })
expectTypeOf(several.app(app).gate.domain.initial).toEqualTypeOf<Door>()
// @ts-expect-error neither has it
several.turn('t', { agent: 'potter' })

// @ts-expect-error a thread cannot begin with an unknown event
defineApp({ name: 'doors', domain: doors, opens: ['closed'] })
// @ts-expect-error a role cannot propose an unknown event
defineApp({ name: 'doors', domain: doors, roles: { guest: { read: 'all', propose: ['closed'] } } })
const auditor = { read: 'redacted', reveal: 'closed' } as const
// @ts-expect-error a reveal is an event of the domain
defineApp({ name: 'doors', domain: doors, roles: { auditor } })
const guest = { read: 'all', run: ['potter'] } as const
// @ts-expect-error a role cannot ask an agent that there is not
defineApp({ name: 'doors', domain: doors, agents: [porter], roles: { guest } })

const one = await open({ store: 'memory:', domain: doors, agents: [porter, guide] })
one.turn('t', { agent: 'guide' })
// @ts-expect-error there is no agent of this name
one.turn('t', { agent: 'guid' })

// A runner knows what its effect gives, and each effect needs one.
interface Notice {
  readonly to: string
}
declare const notice: Notice
const alarms = domain({
  name: 'alarms',
  initial: { isOpen: false },
  events: { opened },
  effects: [
    { name: 'ring', due: ({ isOpen }) => isOpen && { key: 'k', input: { times: 2 } } },
    { name: 'tell', due: () => [{ key: 'k', input: notice }] },
    { name: 'log', due: () => undefined },
  ],
})

const done = { type: 'opened', data: { by: 'us' } } as const
const tell = { run: () => done }
const log = { run: () => done }
defineApp({
  name: 'alarms',
  domain: alarms,
  effects: {
    ring: {
      run: ({ state, input }) => {
        expectTypeOf(state).toEqualTypeOf<Door>()
        expectTypeOf(input).toEqualTypeOf<{ times: number }>()
        return done
      },
    },
    tell: {
      run: async ({ input }) => {
        expectTypeOf(input).toEqualTypeOf<Notice>()
        return done
      },
      retry: { attempts: 3, backoffMs: 1_000 },
    },
    log,
  },
})

// @ts-expect-error the effect "ring" has no runner
defineApp({ name: 'alarms', domain: alarms, effects: { tell, log } })
// @ts-expect-error no effect has a runner
defineApp({ name: 'alarms', domain: alarms })
// @ts-expect-error there is no effect of this name
defineApp({ name: 'alarms', domain: alarms, effects: { rign: tell, tell, log } })
const paints = { run: ({ input }: EffectContext<Door, { colour: string }>) => paint(input.colour) }
declare function paint(colour: string): typeof done
// @ts-expect-error the effect gives another input
defineApp({ name: 'alarms', domain: alarms, effects: { ring: paints, tell, log } })
const rang = { run: () => ({ type: 'rang', data: {} }) }
// @ts-expect-error an effect ends with an event of the domain
defineApp({ name: 'alarms', domain: alarms, effects: { ring: rang, tell, log } })
// @ts-expect-error the domain has no effects
defineApp({ name: 'doors', domain: doors, effects: { tell } })
await open({ store: 'memory:', domain: alarms, effects: { ring: tell, tell, log } })
// @ts-expect-error the same holds for a single application
await open({ store: 'memory:', domain: alarms, effects: { tell, log } })

// An answer has the type of its agent's `output`.
const counter = defineAgent({ name: 'counter', model, output: z.object({ doors: z.number() }) })
const counting = await open({
  store: 'memory:',
  domain: doors,
  agents: [counter, guide],
  roles: { guest: { read: 'all' } },
  index: { isOpen: (state) => state.isOpen },
})
const counted = await counting.turn('t', { agent: 'counter', input: 'Count' }).result
expectTypeOf(counted.output).toEqualTypeOf<{ doors: number } | undefined>()
const guided = await counting.turn('t', { agent: 'guide', input: 'Go on' }).result
expectTypeOf(guided.output).toEqualTypeOf<undefined>()
const resumed = await counting.resume('t', { run: 'r', values: { approved: true } }).result
expectTypeOf(resumed.output).toEqualTypeOf<{ doors: number } | undefined>()
const anyOutput: Throughline = counting
expectTypeOf(anyOutput.turn('t', { agent: 'x' }).result).resolves.toHaveProperty('output')

// Threads are found by declared names, and the people of a program have declared roles.
await counting.threads({ app: 'main', where: { isOpen: true }, orderBy: { isOpen: 'asc' } })
await counting.waits({ role: 'guest' })
routes(counting, { authenticate: () => ({ role: 'guest' }) })
routes(counting, { authenticate: () => ({ role: 'operator' }) })
// @ts-expect-error there is no application of this name
await counting.threads({ app: 'mian' })
// @ts-expect-error nor a name of the index
await counting.threads({ where: { isOpne: true } })
// @ts-expect-error nor a role
await counting.waits({ role: 'geust' })
// @ts-expect-error nor one for a person
routes(counting, { authenticate: () => ({ role: 'geust' }) })
// The roles of sessions are text, which is looked at when a request comes.
routes(counting, { authenticate: ({ headers }) => ({ role: headers.get('x-role') ?? '' }) })

// The events of a domain come in a turn's activities, each with the data that it declares.
for await (const activity of tl.turn('t', { agent: 'porter' })) {
  if (activity.type === 'chat_output') expectTypeOf(activity.delta).toEqualTypeOf<string>()
  if (activity.type !== 'event') continue
  expectTypeOf(activity.name).toEqualTypeOf<'opened'>()
  expectTypeOf(activity.data.by).toEqualTypeOf<string>()
  // @ts-expect-error its data has no such member
  void activity.data.bye
}
