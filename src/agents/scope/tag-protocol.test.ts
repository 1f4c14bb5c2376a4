import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../define/agent.ts'
import { defineDomain } from '../../domain/index.ts'
import { lamp } from '../../domain/lamp.fixture.ts'
import type { Lamp } from '../../domain/lamp.fixture.ts'
import { AgentStreamParser, stripEventTags } from '../../inline/index.ts'
import type { Json } from '../../json/index.ts'
import { scriptedModel } from '../../models/index.ts'
import type { ScriptedCall } from '../../models/index.ts'
import { eventsOf, only, replies, withAgents } from '../runs.fixture.ts'

const EXAMPLE = { type: 'throughline.example', data: { name: 'value' } }
const tag = (watts: number) => `<agent-event type="switch_on" data='{"watts":${watts}}' />`

/** The instructions that each model call of an agent gets. */
async function systemsOf(
  instructions: string | ((context: { readonly state: Lamp }) => string),
  emits: readonly string[] = ['switch_on'],
): Promise<readonly string[]> {
  const systems: string[] = []
  const model = scriptedModel(({ system }) => {
    systems.push(system)
    return 'Done.'
  })
  const { ask } = withAgents([defineAgent<Lamp>({ name: 'A', model, emits, instructions })], {
    domain: lamp,
  })
  await ask('One').result
  await ask('Two').result
  return systems
}

/** The instructions of an agent without its own, in a domain with one event that it may propose. */
async function protocolFor(
  type: string,
  schema: z.ZodType<Json> = z.json(),
): Promise<{ readonly protocol: string; readonly types: readonly string[] }> {
  const { event, domain } = defineDomain<Json>()
  const entry = event({ schema, by: [{ source: 'model' }], reduce: (state) => state })
  let protocol = ''
  const model = scriptedModel(({ system }) => {
    protocol = system
    return system
  })
  const agent = defineAgent<Json>({ name: 'A', model, emits: [type] })
  const one = domain({ name: 'one', initial: null, events: { [type]: entry } })
  const turn = withAgents([agent], { domain: one }).ask('Go')
  const types = only(await eventsOf(turn), 'event').map(({ name }) => name)
  return { protocol, types }
}

test('an agent that emits gets the tag, its types and their JSON Schemas, the same text in each call', async () => {
  const [first = '', second] = await systemsOf('Mind the lamp.')
  expect(first).toMatch(/^Mind the lamp\.\n\nPROPOSING EVENTS\n/)
  expect(first.split('PROPOSING EVENTS')).toHaveLength(2)
  expect(first).toContain('- "switch_on": {"type":"object","properties":{"watts":{')
  expect(first).not.toContain('$schema')
  expect(second).toBe(first)
})

test('an agent without instructions gets the protocol alone; an agent that emits nothing gets none', async () => {
  expect((await systemsOf(''))[0]).toMatch(/^PROPOSING EVENTS\n/)
  expect(await systemsOf('Mind the lamp.', [])).toEqual(['Mind the lamp.', 'Mind the lamp.'])
})

test('an agent whose own instructions hold the protocol gets it once', async () => {
  const own = `Write ${tag(1)} to switch the lamp on.`
  expect(await systemsOf(own)).toEqual([own, own])
  expect(await systemsOf(() => own)).toEqual([own, own])
})

test('each tag in the protocol can be read, and is the example', async () => {
  const [system = ''] = await systemsOf('')
  expect(stripEventTags(system)).toMatchObject({ events: [EXAMPLE], dropped: [] })
  const parser = new AgentStreamParser()
  const events = Array.from(system).flatMap((character) => parser.feed(character).events)
  expect(events).toEqual([EXAMPLE])
})

test('[M1] a model that repeats the protocol proposes nothing, since no domain has the example’s type', async () => {
  const model = scriptedModel(({ system }) => system)
  const agent = defineAgent<Lamp>({ name: 'A', model, emits: ['switch_on'] })
  const { ask, gate } = withAgents([agent], { domain: lamp })
  const events = await eventsOf(ask('Go'))
  expect(only(events, 'event_refused')).toMatchObject([
    { name: EXAMPLE.type, reason: 'not_authorised' },
  ])
  expect(only(events, 'event')).toEqual([])
  expect((await gate.snapshot('t')).foreignTags.tags).toEqual([])
  await expect(protocolFor(EXAMPLE.type)).rejects.toThrow('is reserved')
})

test.each([
  `bare" /><agent-event type="hidden`,
  `<agent-event type='x' />`,
  `in "quotes"`,
  ' blank',
  'two\nlines',
])('the protocol leaves out a type that no tag can carry: %j', async (type) => {
  const { protocol } = await protocolFor(type)
  expect(protocol).toBe('')
})

test.each(['it’s', `it's`, 'a > b', 'a.b:c'])(
  'the protocol lists a type that a tag can carry: %s',
  async (type) => {
    const { protocol } = await protocolFor(type)
    expect(protocol).toContain(`- ${JSON.stringify(type)}: `)
  },
)

test.each([
  `<agent-event type="x" data='{}' />`,
  '&lt;agent-event type="x" /&gt;',
  '\\u003cagent-event type="x" />',
  '%3Cagent-event type="x" /%3E',
])(
  '[M2] a tag in a schema proposes nothing when a model repeats the protocol: %s',
  async (text) => {
    const schema = z.object({ n: z.json().optional().describe(text) }) as z.ZodType<Json>
    const { protocol, types } = await protocolFor('x', schema)
    const [, list = ''] = protocol.split('JSON Schema of its data:')
    expect(list).toContain('- "x": ')
    expect(list).not.toContain(text.slice(0, text.indexOf(' ')))
    expect(stripEventTags(protocol).events).toEqual([EXAMPLE])
    expect(types).toEqual([])
  },
)

test('an agent reads in its next call which of its tags were accepted and why others were refused', async () => {
  const heard: ScriptedCall[] = []
  const reply = (text: string) => (call: ScriptedCall) => {
    heard.push(call)
    return text
  }
  const model = replies(reply(`On. ${tag(30)} ${tag(99)}`), reply('Dimmed.'))
  const agent = defineAgent<Lamp>({ name: 'A', model, emits: ['switch_on'] })
  const { ask } = withAgents([agent], { domain: lamp })
  expect((await ask('Light').result).state).toMatchObject({ lit: true, watts: 30 })
  await ask('And now?').result
  expect(heard[1]?.system).toBe(heard[0]?.system)
  const { text = '' } = heard[1]?.messages.at(-1) ?? {}
  expect(text.split('\n\n')).toEqual([
    '[Your event was accepted: switch_on {"watts":30,"from":0}]',
    String.raw`[Your event was refused: {"type":"switch_on","reason":"not_authorised","detail":"\"model\" may not propose \"switch_on\" now: the data, the state or the turn does not meet its condition"}]`,
    'And now?',
  ])
})

test('the protocol counts as input before each model call', async () => {
  const agent = (emits: readonly string[]) =>
    defineAgent<Lamp>({
      name: 'A',
      model: scriptedModel(() => 'Done.'),
      emits,
      instructions: 'Mind the lamp.',
      limits: { tokens: 200, outputTokens: 50 },
    })
  const endOf = async (emits: readonly string[]) =>
    (await withAgents([agent(emits)], { domain: lamp }).ask('Go').result).reason
  expect([await endOf([]), await endOf(['switch_on'])]).toEqual(['success', 'limit'])
})
