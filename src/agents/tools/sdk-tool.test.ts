import { dynamicTool, jsonSchema, tool, zodSchema } from 'ai'
import type { Tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../define/agent.ts'
import type { ModelMessage } from '../../models/index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  only,
  overheard,
  replies,
  withAgents,
} from '../runs.fixture.ts'

const model = replies('')
const city = z.object({ city: z.string() })
const execute = ({ city: name }: { readonly city: string }) => `Sun in ${name}`
const byHand = jsonSchema<{ city: string }>(
  { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  {
    validate: (value) => {
      const { success, data, error } = city.safeParse(value)
      return success ? { success, value: data } : { success, error }
    },
  },
)

test.each([
  ['a zod schema', tool({ description: 'Returns the weather.', inputSchema: city, execute })],
  ['a schema of jsonSchema()', tool({ inputSchema: byHand, execute })],
  ['a schema of zodSchema()', tool({ inputSchema: zodSchema(city), execute })],
  ['a function that gives a schema', tool({ inputSchema: () => byHand, execute })],
])('a tool of the AI SDK with %s runs as it is, and is checked', async (_name, weather) => {
  const told: (readonly ModelMessage[])[] = []
  const script = replies(
    calling(['weather', { city: 'Ulm' }], ['weather', { town: 1 }]),
    (call) => {
      told.push(call.messages)
      return 'ok'
    },
  )
  const { model: heard, calls } = overheard(script)
  const { ask, log } = withAgents([defineAgent({ name: 'A', model: heard, tools: { weather } })])
  const events = await eventsOf(ask('Weather?'))
  expect(calls[0]?.tools).toMatchObject([
    { name: 'weather', inputSchema: { properties: { city: { type: 'string' } } } },
  ])
  expect(only(events, 'tool_result')).toMatchObject([{ result: 'Sun in Ulm' }])
  expect(only(events, 'tool_error')).toMatchObject([{ code: 'invalid_input' }])
  expect(told[0]?.filter(({ role }) => role === 'tool')).toHaveLength(2)
  await expectWhole(log)
})

test('a tool of the AI SDK is given the id of its call, the conversation, a signal and no context', async () => {
  const seen: unknown[] = []
  const look = tool({
    inputSchema: z.object({ at: z.string() }),
    execute: (_input, { toolCallId, messages, abortSignal, context }) => {
      seen.push({ toolCallId, messages, aborted: abortSignal?.aborted, context })
      return 'seen'
    },
  })
  const script = replies(
    'Hello.',
    { text: 'I look.', ...calling(['look', { at: 'a' }], ['look', { at: 'b' }]) },
    'ok',
  )
  const { ask, log } = withAgents([defineAgent({ name: 'A', model: script, tools: { look } })])
  await ask('Hi').result
  await ask('Look!').result
  const text = (words: string) => [{ type: 'text', text: words }]
  const messages = [
    { role: 'user', content: text('Hi') },
    { role: 'assistant', content: text('Hello.') },
    { role: 'user', content: text('Look!') },
  ]
  expect(seen).toEqual([
    { toolCallId: 'call-1', messages, aborted: false, context: {} },
    { toolCallId: 'call-2', messages, aborted: false, context: {} },
  ])
  await expectWhole(log)
})

test('needsApproval of a tool of the AI SDK asks a person first', async () => {
  const asked: string[] = []
  const pay = tool({
    inputSchema: z.object({ pounds: z.number() }),
    needsApproval: ({ pounds }, { toolCallId }) => {
      asked.push(toolCallId)
      return pounds > 10
    },
    execute: ({ pounds }) => `Paid ${pounds}`,
  })
  const script = replies(calling(['pay', { pounds: 5 }], ['pay', { pounds: 50 }]), 'ok')
  const { ask, resume, log } = withAgents([
    defineAgent({ name: 'A', model: script, tools: { pay } }),
  ])
  const turn = ask('Pay')
  expect(only(await eventsOf(turn), 'tool_result')).toMatchObject([{ result: 'Paid 5' }])
  expect(asked).toEqual(['call-1', 'call-2'])
  const { reason, run } = await turn.result
  expect(reason).toBe('interrupt')
  const events = await eventsOf(resume(run, { approved: true }))
  expect(only(events, 'tool_result')).toMatchObject([{ result: 'Paid 50' }])
  await expectWhole(log)
})

test('a tool of the AI SDK that yields shows each value, and one without execute waits for its caller', async () => {
  const count = tool({
    inputSchema: z.object({}),
    async *execute() {
      yield 'half'
      yield 'whole'
    },
  })
  const place = tool({ inputSchema: z.object({}), outputSchema: z.string() })
  const echo = dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: String })
  const script = replies(calling(['count'], ['echo'], ['place']), 'ok')
  const tools = { count, place, echo }
  const { ask, log } = withAgents([defineAgent({ name: 'A', model: script, tools })])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'tool_output').map(({ output }) => output)).toEqual(['half', 'whole'])
  expect(await turn.result).toMatchObject({ reason: 'interrupt', waits: [{ toolName: 'place' }] })
  await expectWhole(log)
})

test('a description may be a function, as in the AI SDK', async () => {
  const { model: heard, calls } = overheard(replies('ok'))
  const look = tool({ description: () => 'Looks.', inputSchema: z.object({}), execute: () => '' })
  await withAgents([defineAgent({ name: 'A', model: heard, tools: { look } })]).ask('Hi').result
  expect(calls[0]?.tools).toMatchObject([{ name: 'look', description: 'Looks.' }])
})

test('a tool that only its provider can run, or a schema that comes later, is refused', () => {
  const search = {
    type: 'provider',
    id: 'acme.search',
    isProviderExecuted: true,
    args: {},
    inputSchema: city,
    outputSchema: z.string(),
  } satisfies Tool<{ city: string }, string>
  expect(() => defineAgent({ name: 'A', model, tools: { search } })).toThrow(
    'Cannot define agent "A": its tool "search" is one of a provider; give a tool with `execute`',
  )
  const later = tool({ inputSchema: jsonSchema(async () => ({ type: 'object' })), execute: String })
  expect(() => defineAgent({ name: 'A', model, tools: { later } })).toThrow('gives no JSON Schema')
})
