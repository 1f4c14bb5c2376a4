import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import type { ScriptedAnswer } from '../models/index.ts'
import { scriptedModel } from '../models/index.ts'
import { eventsOf, expectWhole, only, overheard, replies, withAgents } from './runs.fixture.ts'
import { tool } from './define/tool.ts'

type Call = NonNullable<ScriptedAnswer['toolCalls']>[number]

const pay = (amount: number, id: string): Call => ({ name: 'pay', input: { amount }, id })

function till() {
  const paid: number[] = []
  const tools = {
    pay: tool({
      inputSchema: z.object({ amount: z.number() }),
      execute: ({ amount }) => `paid ${paid.push(amount)}`,
    }),
  }
  return { paid, tools }
}

test.each<[string, readonly Call[], readonly number[]]>([
  ['the same call under two ids runs once', [pay(5, 'a'), pay(5, 'b')], [5]],
  ['the same call under one id runs once', [pay(5, 'a'), pay(5, 'a')], [5]],
  [
    'the same arguments in another order and spacing run once',
    [pay(5, 'a'), { name: 'pay', input: '{ "amount" : 5 }', id: 'b' }],
    [5],
  ],
  ['other arguments under one id are two calls', [pay(5, 'a'), pay(6, 'a')], [5, 6]],
  ['other arguments are two calls', [pay(5, 'a'), pay(6, 'b'), pay(5, 'c')], [5, 6]],
])('in one model call, %s', async (_rule, toolCalls, expected) => {
  const { paid, tools } = till()
  const { model, calls } = overheard(replies({ toolCalls }, 'Paid.'))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, tools })])
  const turn = ask('Pay')
  const events = await eventsOf(turn)
  expect(paid).toEqual(expected)
  expect(only(events, 'tool_call')).toHaveLength(expected.length)
  expect(only(events, 'tool_result')).toHaveLength(expected.length)
  expect(only(events, 'tool_error')).toEqual([])
  const told = calls[1]?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  expect(told).toHaveLength(expected.length)
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'Paid.' })
  await expectWhole(log)
})

test('the same call in the next model call runs again', async () => {
  const { paid, tools } = till()
  const model = replies({ toolCalls: [pay(5, 'a')] }, { toolCalls: [pay(5, 'a')] }, 'Paid.')
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, tools })])
  await ask('Pay').result
  expect(paid).toEqual([5, 5])
  await expectWhole(log)
})

test('a tool call that the provider repeats after streaming it runs once', async () => {
  const { paid, tools } = till()
  const model = scriptedModel(({ index }) => (index === 0 ? { toolCalls: [pay(5, 'a')] } : 'Paid.'))
  const doubling = { ...model }
  doubling.doStream = async (options) => {
    const { stream } = await model.doStream(options)
    return { stream: stream.pipeThrough(doubled()) }
  }
  const { ask, log } = withAgents([defineAgent({ name: 'A', model: doubling, tools })])
  await ask('Pay').result
  expect(paid).toEqual([5])
  await expectWhole(log)
})

function doubled() {
  return new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform(part, controller) {
      controller.enqueue(part)
      if (part.type === 'tool-call') controller.enqueue(part)
    },
  })
}
