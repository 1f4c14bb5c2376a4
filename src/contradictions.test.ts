import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineApp, defineDomain, open, scriptedModel, tool } from './public/index.ts'

const { event, domain } = defineDomain<{ readonly n: number }>()
const up = { schema: z.object({}), reduce: () => ({ n: 1 }) }
const desk = { source: 'ui', surface: 'desk' } as const
const counter = domain({
  name: 'counter',
  initial: { n: 0 },
  events: { up: event({ ...up, by: [desk] }) },
})
const model = scriptedModel(() => 'x')
const helper = defineAgent({ name: 'helper', model })
const inputSchema = z.object({})

/** A program without types may give anything. */
const given = (value: unknown) => value as never

test.each([
  [
    'two agents of one name',
    () => defineApp({ name: 'a', agents: [helper, defineAgent({ name: 'helper', model })] }),
    'Cannot define application "a": two of its agents are called "helper"; rename one',
  ],
  [
    'an agent that `defineAgent` did not make',
    () => defineApp({ name: 'a', agents: [given({ name: 'b', model })] }),
    'Cannot define application "a": one of its `agents` was not made by `defineAgent`',
  ],
  [
    'a sub-agent that `defineAgent` did not make',
    () => defineAgent({ name: 'a', model, agents: [given({ name: 'b', model })] }),
    'an agent that it may call or hand over to was not made by `defineAgent`',
  ],
  [
    'a domain that `domain` did not make',
    () => defineApp({ name: 'a', domain: given({ name: 'd', initial: {}, events: {} }) }),
    'its `domain` was not made by `domain` of `defineDomain`',
  ],
  [
    'an agent for a surface that is nearly a role',
    () => {
      const clerk = defineAgent({ name: 'clerk', model, surface: 'costumer' })
      return defineApp({ name: 'a', agents: [clerk], roles: { customer: { read: 'all' } } })
    },
    'its agent "clerk" is for the surface "costumer", which is none of its roles: did you mean "customer"?',
  ],
  [
    'an event type for a surface that is nearly a role',
    () => defineApp({ name: 'a', domain: counter, roles: { desks: { read: 'all' } } }),
    'its event type "up" is for the surface "desk", which is none of its roles: did you mean "desks"?',
  ],
  [
    'a list of tools',
    () => defineAgent({ name: 'a', model, tools: given([tool({ inputSchema })]) }),
    'its `tools` must be an object, and is a list',
  ],
  [
    'one sub-agent in place of a list',
    () => defineAgent({ name: 'a', model, agents: given(helper) }),
    'its `agents` must be a list, or a function that returns one, and is an object',
  ],
  [
    'a list of roles',
    () => defineApp({ name: 'a', roles: given(['clerk']) }),
    'its `roles` must be an object, and is a list',
  ],
  [
    'one agent in place of a list',
    () => defineApp({ name: 'a', agents: given(helper) }),
    'its `agents` must be a list, and is an object',
  ],
  [
    'a list of event types',
    () => domain(given({ name: 'd', initial: { n: 0 }, events: [event({ ...up, by: [] })] })),
    'its `events` must be an object, and is a list',
  ],
  [
    'a rule that is no object',
    () => domain(given({ name: 'd', initial: { n: 0 }, events: {}, rules: [() => []] })),
    'its rule "": it must be an object, and is a function',
  ],
  [
    'a domain without event types',
    () => domain(given({ name: 'd', initial: { n: 0 } })),
    'it has no `events`; give an object',
  ],
  [
    'a role that is no object',
    () => defineApp({ name: 'a', roles: given({ clerk: 'all' }) }),
    'its role "clerk": it must be an object, and is a string',
  ],
  [
    'an agent without parts',
    () => defineAgent(given(undefined)),
    'Cannot define agent "undefined": it must be an object, and is undefined',
  ],
  [
    'an application without parts',
    () => defineApp(given('clerks')),
    'Cannot define application "undefined": it must be an object, and is a string',
  ],
  [
    'a domain without a name',
    () => domain(given({ initial: { n: 0 }, events: {} })),
    'it has no `name`; give a text',
  ],
  [
    'an object of rules',
    () => domain(given({ name: 'd', initial: { n: 0 }, events: {}, rules: { r: () => [] } })),
    'its `rules` must be a list, and is an object',
  ],
])('%s is refused where it is defined', (_what, define, said) => {
  expect(define).toThrow(said)
  expect(define).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^(?:invalid_|unknown_part)/) }),
  )
})

test('a surface that is no role, and like none, is one that the mounting program names', () => {
  const agents = [defineAgent({ name: 'clerk', model, surface: 'whatsapp' })]
  const roles = { customer: { read: 'all' }, desk: { read: 'all' } } as const
  expect(defineApp({ name: 'a', domain: counter, agents, roles }).roles.size).toBe(2)
})

test('an agent that emits what no model may propose is refused where it is opened', async () => {
  const agents = [defineAgent({ name: 'clerk', model, domain: counter, emits: ['up'] })]
  await expect(open({ store: 'memory:', domain: counter, agents })).rejects.toMatchObject({
    code: 'invalid_agent',
    message: 'Cannot use agent "clerk": it may emit "up", which its `by` does not give to "model"',
  })
})

test.each([
  [
    { apps: [], domain: counter },
    'Cannot open: it has `domain` beside `apps`; give `domain` to one of the applications, or leave out `apps`',
  ],
  [{ apps: defineApp({ name: 'a' }) }, 'Cannot open: its `apps` must be a list, and is an object'],
  [{ apps: [{ name: 'a' }] }, 'Cannot open: one of its `apps` was not made by `defineApp`'],
])('options of open that contradict each other are refused: %#', async (options, message) => {
  await expect(open(given({ store: 'memory:', ...options }))).rejects.toMatchObject({
    code: 'configuration',
    message,
  })
})

test('a domain without parts is refused', () => {
  expect(() => domain(given(undefined))).toThrow(
    expect.objectContaining({
      code: 'unknown_part',
      message: 'Cannot define domain "undefined": it must be an object, and is undefined',
    }),
  )
})
