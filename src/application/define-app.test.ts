import { expect, test } from 'vitest'
import { defineAgent } from '../agents/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import { ApplicationError, defineApp } from './index.ts'
import type { AppParts } from './index.ts'

const keeper = defineAgent<Lamp>({ name: 'keeper', model: scriptedModel(() => 'On.') })

test('an application’s roles are separate from the operator, a role with every permission', () => {
  const app = defineApp<Lamp>({
    name: 'lamps',
    domain: lamp,
    agents: [keeper],
    roles: {
      visitor: { read: 'all', propose: ['switch_on'], run: ['keeper'] },
      operator: { read: { record: 'all', state: ({ watts }) => ({ watts }) } },
    },
  })
  expect([...app.roles.keys()]).toEqual(['visitor'])
  expect(app.operatorReads).toHaveProperty('state')
})

const visitor = (role: object) => ({ roles: { visitor: role } }) as Partial<AppParts<Lamp>>

const faults: readonly (readonly [string, Partial<AppParts<Lamp>>, string])[] = [
  ['no name', { name: '' }, 'its name is not 1 to 64 letters'],
  ['a blank in its name', { name: 'my lamps' }, 'its name is not 1 to 64 letters'],
  ['an opening that nothing is', { opens: ['lit'] }, 'it opens by "lit", which is none of'],
  [
    'a role that no object can hold',
    { roles: { toString: { read: 'all' as const } } },
    'its role "toString"',
  ],
  ['a role that reads nothing', visitor({}), 'does not say what it may read'],
  [
    'a role that reads records as nothing knows',
    visitor({ read: { state: () => ({}), record: 'some' } }),
    'is neither "all", "redacted" nor a function',
  ],
  [
    'a role that reveals by an event that it may not propose',
    visitor({ read: 'redacted', reveal: 'switch_on' }),
    'reveals by "switch_on", which it may not propose',
  ],
  [
    'a role that reveals what it sees',
    visitor({ read: 'all', reveal: 'switch_on', propose: 'all' }),
    'nothing is redacted for it',
  ],
  [
    'a role that reveals by an unknown event',
    visitor({ read: 'redacted', reveal: 'lit', propose: 'all' }),
    'may reveal by "lit"',
  ],
  ['a role that proposes an unknown event', visitor({ read: 'all', propose: ['lit'] }), '"lit"'],
  ['an index of an unusable name', { index: { 'a b': () => 1 } }, 'its index "a b" is not 1 to 64'],
  ['an index that hides a page', { index: { after: () => 1 } }, 'the list of threads uses itself'],
  ['an index of values', { index: { lit: true as never } }, '"lit" is no function of the state'],
  [
    'an index of 17 names',
    { index: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`n${n}`, () => n])) },
    'its index has 17 names, at most 16',
  ],
  [
    'a role that runs an unknown agent',
    visitor({ read: 'all', run: ['porter'] }),
    'may run "porter"',
  ],
]

test.each(faults)(
  'an application with %s is refused, and the message says why',
  (...[, parts, why]) => {
    const define = () =>
      defineApp<Lamp>({ name: 'lamps', domain: lamp, agents: [keeper], ...parts })
    expect(define).toThrow(ApplicationError)
    expect(define).toThrow(why)
  },
)
