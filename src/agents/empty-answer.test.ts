import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import type { ScriptedReply } from '../models/index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  only,
  overheard,
  replies,
  withAgents,
} from './runs.fixture.ts'
import { tool } from './define/tool.ts'

const EMPTY: readonly (readonly [string, ScriptedReply])[] = [
  ['nothing', {}],
  ['an empty text', ''],
  ['blanks', ' \n\n\t '],
  ['thoughts alone', { reasoning: 'Hm, well' }],
  ['thoughts and blanks', { reasoning: 'Hm', text: '\n' }],
]

test.each(EMPTY)('after an answer of %s the model is called again', async (_name, reply) => {
  const { model, calls } = overheard(replies(reply, 'Here I am'))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model })])
  const turn = ask('Go')
  const ends = only(await eventsOf(turn), 'completion_end')
  expect(ends.map(({ finishReason }) => finishReason)).toEqual(['empty', 'stop'])
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'Here I am' })
  expect(calls).toHaveLength(2)
  await expectWhole(log)
})

test.each(EMPTY)('two answers of %s end the turn with the error "empty"', async (_name, reply) => {
  const { model, calls } = overheard(replies(reply))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model })])
  const turn = ask('Go')
  expect(await turn.result).toMatchObject({ reason: 'error', error: { code: 'empty' } })
  expect(calls).toHaveLength(2)
  await expectWhole(log)
})

test('an empty answer counts with the tokens that its provider tells', async () => {
  const model = replies({ reasoning: 'x'.repeat(40) }, 'Here I am')
  const { ask } = withAgents([defineAgent({ name: 'A', model })])
  const { usage } = await ask('Go').result
  expect(usage.total).toMatchObject({ reasoningTokens: 10, calls: 2 })
})

test('a tool call without words is an answer', async () => {
  const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
  const { model, calls } = overheard(replies(calling(['look']), 'Seen'))
  const { ask } = withAgents([defineAgent({ name: 'A', model, tools: { look } })])
  expect(await ask('Look').result).toMatchObject({ reason: 'success', text: 'Seen' })
  expect(calls).toHaveLength(2)
})
