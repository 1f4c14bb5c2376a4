import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineApp, defineDomain, open, scriptedModel } from '../index.ts'

interface Door {
  readonly isOpen: boolean
}

const { event, domain } = defineDomain<Door>()
const doors = domain({
  name: 'doors',
  initial: { isOpen: false },
  events: {
    opened: event({
      schema: z.object({ by: z.string() }),
      by: [{ source: 'ui' }],
      reduce: () => ({ isOpen: true }),
    }),
  },
})
const model = scriptedModel(() => 'Welcome.')
const porter = defineAgent({ domain: doors, name: 'porter', model })
const guide = defineAgent({ name: 'guide', model })

const app = defineApp({ name: 'doors', domain: doors, agents: [porter] })
const talk = defineApp({ name: 'talk', agents: [guide] })
const tl = await open({ store: 'memory:', apps: [app] })

expectTypeOf((await tl.state('t')).state).toEqualTypeOf<Door>()
expectTypeOf((await tl.turn('t', { agent: 'porter' }).result).state).toEqualTypeOf<Door>()
await tl.propose('t', [{ type: 'opened', data: { by: 'ann' } }])
tl.turn('t', { agent: 'porter', events: [{ type: 'opened', data: { by: 'ann' } }] })

// @ts-expect-error there is no agent of this name
tl.turn('t', { agent: 'potter' })
// @ts-expect-error there is no event of this type
await tl.propose('t', [{ type: 'openned', data: { by: 'ann' } }])
// @ts-expect-error the event has other data
await tl.propose('t', [{ type: 'opened', data: { by: 7 } }])
// @ts-expect-error the same holds for what comes with a turn
tl.turn('t', { agent: 'porter', events: [{ type: 'opened', data: {} }] })
// @ts-expect-error and for what a system proposes
await tl.as({ source: 'remote' }).propose('t', [{ type: 'closed', data: {} }])

const several = await open({ store: 'memory:', apps: [app, talk] })
several.turn('t', { agent: 'guide', input: 'Hello' })
expectTypeOf(several.app(app).gate.domain.initial).toEqualTypeOf<Door>()
// @ts-expect-error neither has it
several.turn('t', { agent: 'potter' })

// @ts-expect-error a thread cannot begin with what is no event
defineApp({ name: 'doors', domain: doors, opens: ['closed'] })
// @ts-expect-error a role cannot propose what is no event
defineApp({ name: 'doors', domain: doors, roles: { guest: { read: 'all', propose: ['closed'] } } })
const guest = { read: 'all', run: ['potter'] } as const
// @ts-expect-error a role cannot ask an agent that there is not
defineApp({ name: 'doors', domain: doors, agents: [porter], roles: { guest } })

const one = await open({ store: 'memory:', domain: doors, agents: [porter, guide] })
one.turn('t', { agent: 'guide' })
// @ts-expect-error there is no agent of this name
one.turn('t', { agent: 'guid' })

const rings = { bell: { run: () => ({ type: 'rang', data: {} }) } }
// @ts-expect-error an effect ends with an event of the domain
defineApp({ name: 'doors', domain: doors, effects: rings })
