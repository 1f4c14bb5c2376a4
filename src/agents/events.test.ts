import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  glance,
  only,
  replies,
  withAgents,
} from './runs.fixture.ts'

const add = tool({
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  async *execute({ a, b }, { progress }) {
    progress(`adding ${a}`)
    yield 'half'
    yield { sum: a + b }
  },
})

/** Thinks, adds two numbers with a tool, and says the sum. */
function adding() {
  const model = replies(
    { reasoning: 'Let me add.', text: 'One moment.', ...calling(['add', { a: 1, b: 2 }]) },
    'It is 3.',
  )
  return withAgents([defineAgent({ name: 'A', model, tools: { add } })])
}

test('[C001] [C005] [C006] a turn is a defined set of events, from its start to its end', async () => {
  const { ask, log } = adding()
  const events = await eventsOf(ask('1 + 2?'))
  expect(glance(events).map((line) => line.slice('A/0 '.length))).toEqual([
    'prompt_started',
    'completion_start',
    'reasoning_content',
    'chat_output',
    'tool_call',
    'tool_output',
    'tool_output',
    'tool_output',
    'tool_result',
    'completion_end',
    'completion_start',
    'chat_output',
    'completion_end',
    'turn_end',
  ])
  expect(events[0]).toMatchObject({ type: 'prompt_started', content: '1 + 2?' })
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'success', result: 'It is 3.' })
  await expectWhole(log)
})

test('[C002] chat_output is the text that the model generates, and no other', async () => {
  const events = await eventsOf(adding().ask('1 + 2?'))
  const outputs = only(events, 'chat_output')
  expect(outputs.map(({ delta }) => delta)).toEqual(['One moment.', 'It is 3.'])
  expect(new Set(outputs.map(({ messageId }) => messageId)).size).toBe(2)
})

test('[C003] a tool call is shown with its result, as the value that the tool gave', async () => {
  const events = await eventsOf(adding().ask('1 + 2?'))
  const [call] = only(events, 'tool_call')
  const [result] = only(events, 'tool_result')
  expect(call).toMatchObject({ name: 'add', arguments: '{"a":1,"b":2}', toolCallId: 'call-1' })
  expect(result).toMatchObject({ name: 'add', result: { sum: 3 }, toolCallId: 'call-1' })
})

test('[C004] what a tool shows on the way belongs to its call, lines and results apart', async () => {
  const events = await eventsOf(adding().ask('1 + 2?'))
  expect(only(events, 'tool_output').map(({ output }) => output)).toEqual([
    'adding 1',
    'half',
    { sum: 3 },
  ])
  expect(only(events, 'tool_output').every(({ toolCallId }) => toolCallId === 'call-1')).toBe(true)
})

test('[C007] each model call ends with its usage', async () => {
  const events = await eventsOf(adding().ask('1 + 2?'))
  const [first] = only(events, 'completion_end')
  expect(first).toMatchObject({
    finishReason: 'tool-calls',
    usage: {
      model: 'throughline/scripted',
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
      reasoningTokens: 3,
    },
  })
})

test('[C008] the usage of a turn is the sum of its model calls, by model and in all', async () => {
  const turn = adding().ask('1 + 2?')
  const ends = only(await eventsOf(turn), 'completion_end')
  const { usage } = await turn.result
  const sum = (name: 'inputTokens' | 'outputTokens') =>
    ends.reduce((total, end) => total + (end.usage[name] ?? 0), 0)
  expect(usage.total).toMatchObject({
    calls: 2,
    unreported: 0,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
  })
  expect(usage.byModel).toEqual({ 'throughline/scripted': usage.total })
})

test('events can be read again, any number of times', async () => {
  const turn = adding().ask('1 + 2?')
  const [one, other] = await Promise.all([eventsOf(turn), eventsOf(turn)])
  expect(one).toEqual(other)
  expect(await eventsOf(turn)).toEqual(one)
})

test('a turn goes on after its reader has left', async () => {
  const { ask, log } = adding()
  const turn = ask('1 + 2?')
  for await (const { type } of turn) if (type === 'completion_start') break
  expect(await turn.result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})
