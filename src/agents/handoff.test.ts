import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { Agent } from './define/agent.ts'
import type { ModelMessage } from '../models/index.ts'
import type { Json } from '../json/index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  glance,
  only,
  replies,
  withAgents,
} from './runs.fixture.ts'

/** A writes some text and hands over to B, which writes some text. */
function pipeline() {
  const prompts: (readonly ModelMessage[])[] = []
  const b = defineAgent({
    name: 'B',
    model: scriptedModel(({ messages }) => {
      prompts.push(messages)
      return 'event 2'
    }),
  })
  const a = defineAgent({
    name: 'A',
    model: replies({ text: 'event1', ...calling(['handoff_to_b', { message: 'go on' }]) }),
    handoffs: [b],
  })
  return { ...withAgents([a]), prompts }
}

test('[C024] [C028] the caller gets event1 (agent A, depth 0) and event2 (agent B, depth 0)', async () => {
  const { ask, log } = pipeline()
  const [event1, event2] = only(await eventsOf(ask('msg')), 'chat_output')
  expect(event1).toMatchObject({ agent: 'A', depth: 0, delta: 'event1' })
  expect(event2).toMatchObject({ agent: 'B', depth: 0, delta: 'event 2' })
  await expectWhole(log)
})

test('[C025] [C026] [C029] the receiving agent answers A’s caller, at A’s depth and not through A', async () => {
  const turn = pipeline().ask('msg')
  const events = await eventsOf(turn)
  const ofB = events.filter(({ agent }) => agent === 'B')
  expect(ofB.map(({ depth }) => depth)).toEqual(ofB.map(() => 0))
  expect(ofB.map(({ path }) => path)).toEqual(ofB.map(() => ['B']))
  expect(ofB.every(({ parentRun, turn: of }) => parentRun === undefined && of === turn.run)).toBe(
    true,
  )
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', agent: 'B', reason: 'success' })
  expect(await turn.result).toMatchObject({ text: 'event 2', reason: 'success' })
})

test('[C027] the end of A’s turn comes at the hand-off, before anything of B', async () => {
  const events = await eventsOf(pipeline().ask('msg'))
  const lines = glance(events)
  const end = lines.indexOf('A/0 turn_end')
  expect(events[end]).toMatchObject({ reason: 'handoff', handoffTo: 'B', result: 'event1' })
  expect(lines.slice(end + 1).every((line) => line.startsWith('B/0'))).toBe(true)
  expect(lines.slice(0, end).every((line) => line.startsWith('A/0'))).toBe(true)
})

test('the receiving agent knows the conversation and the message of the hand-over', async () => {
  const { ask, prompts } = pipeline()
  await ask('What is the time?').result
  const [prompt = []] = prompts
  const text = prompt.map((message) => message.text).join('\n')
  expect(text).toContain('What is the time?')
  expect(text).toContain('event1')
  expect(text).toContain('go on')
})

test('the receiving agent knows what tools told the one before it, without having them', async () => {
  const prompts: (readonly ModelMessage[])[] = []
  const b = defineAgent({
    name: 'B',
    model: scriptedModel(({ messages }) => {
      prompts.push(messages)
      return 'I know'
    }),
  })
  const lookUp = tool({ inputSchema: z.object({ id: z.number() }), execute: () => 'Ada Lovelace' })
  const a = defineAgent({
    name: 'A',
    model: replies(calling(['look_up', { id: 7 }]), calling(['handoff_to_b'])),
    tools: { look_up: lookUp },
    handoffs: [b],
  })
  await withAgents([a]).ask('Who is 7?').result
  expect(prompts[0]?.map(({ role }) => role)).toEqual(['user'])
  expect(prompts[0]?.[0]?.text).toContain('[look_up({"id":7}) gave: Ada Lovelace]')
  expect(prompts[0]?.[0]?.text).not.toContain('handoff_to_b')
})

test('a sub-agent that hands over is answered for: the caller’s caller gets the other’s result', async () => {
  const prompts: string[] = []
  const b = defineAgent({
    name: 'B',
    model: scriptedModel(({ messages }) => {
      prompts.push(messages.map(({ text }) => text).join('\n'))
      return 'from B'
    }),
  })
  const a = defineAgent({
    name: 'A',
    model: replies({ text: 'not mine', ...calling(['handoff_to_b', {}]) }),
    handoffs: [b],
  })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_a', { message: 'the question' }]), 'End'),
    agents: [a],
  })
  const { ask, log } = withAgents([top])
  const events = await eventsOf(ask('Go'))
  const ofB = events.filter(({ agent }) => agent === 'B')
  expect(ofB[0]).toMatchObject({ type: 'prompt_started', depth: 1, path: ['top', 'B'] })
  expect(only(events, 'tool_result').at(-1)).toMatchObject({ agent: 'top', result: 'from B' })
  expect(only(events, 'subagent_result')).toMatchObject([{ result: 'from B' }])
  // The receiving agent gets the conversation, at every depth.
  expect(prompts[0]).toContain('the question')
  expect(prompts[0]).toContain('not mine')
  await expectWhole(log)
})

test('a sub-agent’s answer is named for the agent that gave it', async () => {
  const b = defineAgent({ name: 'B', model: scriptedModel(() => 'from B') })
  const a = defineAgent({ name: 'A', model: replies(calling(['handoff_to_b'])), handoffs: [b] })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_a', { message: 'q' }]), 'End'),
    agents: [a],
  })
  const events = await eventsOf(withAgents([top]).ask('Go'))
  expect(only(events, 'subagent_result')).toMatchObject([{ sourceAgent: 'B', agent: 'top' }])
})

test('two agents may pass a turn to and fro, as often as it may be', async () => {
  const a: Agent<Json> = defineAgent<Json>({
    name: 'A',
    model: replies({ text: 'a', ...calling(['handoff_to_b']) }),
    handoffs: () => [b],
    limits: { handoffs: 3 },
  })
  const b = defineAgent<Json>({
    name: 'B',
    model: scriptedModel(({ index }) => (index < 2 ? calling(['handoff_to_a']) : 'B keeps it')),
    handoffs: () => [a],
  })
  const { ask, log } = withAgents([a, b])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'turn_end').map(({ agent, reason }) => `${agent} ${reason}`)).toEqual([
    'A handoff',
    'B handoff',
    'A handoff',
    'B success',
  ])
  expect(only(events, 'tool_error')).toMatchObject([{ agent: 'B', code: 'limit_handoffs' }])
  expect(await turn.result).toMatchObject({ text: 'B keeps it' })
  await expectWhole(log)
})

test('of several hand-offs at once the first counts, and tools beside it are run before', async () => {
  const [b, c] = ['B', 'C'].map((name) =>
    defineAgent({ name, model: scriptedModel(() => `I am ${name}`) }),
  )
  if (!b || !c) throw new Error('two agents')
  const a = defineAgent({
    name: 'A',
    model: replies(calling(['handoff_to_b'], ['handoff_to_c'], ['call_c', { message: 'x' }])),
    handoffs: [b, c],
    agents: [c],
  })
  const { ask, log } = withAgents([a])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(await turn.result).toMatchObject({ text: 'I am B' })
  expect(only(events, 'tool_error')).toMatchObject([{ code: 'one_handoff', name: 'handoff_to_c' }])
  expect(only(events, 'subagent_result')).toMatchObject([{ sourceAgent: 'C' }])
  await expectWhole(log)
})

test('the next turn may go to the agent that has the conversation', async () => {
  const { ask, log, prompts, runs } = pipeline()
  await ask('first').result
  await expect(runs.start('t', { agent: 'nobody', input: 'x' }).result).rejects.toMatchObject({
    code: 'unknown_agent',
  })
  await ask('second').result
  expect(
    prompts
      .at(-1)
      ?.map(({ text }) => text)
      .join('\n'),
  ).toContain('first')
  await expectWhole(log)
})

test('a turn that another agent resumes after a hand-off keeps its surface', async () => {
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' })
  const clerk = defineAgent({
    name: 'clerk',
    model: replies(calling(['pay']), 'Paid.'),
    tools: { pay },
  })
  const greeter = defineAgent({
    name: 'greeter',
    surface: 'phone',
    model: replies(calling(['handoff_to_clerk', { message: 'pay' }]), 'Hello again.'),
    handoffs: [clerk],
  })
  const { ask, resume, runs, records, log } = withAgents([greeter])
  const { run } = await ask('Pay, please').result
  await expect(ask('More').result).rejects.toMatchObject({ code: 'waiting_for_input' })
  expect(await resume(run, { approved: true }).result).toMatchObject({ text: 'Paid.' })
  expect(new Set((await records()).map(({ origin }) => origin.surface))).toEqual(new Set(['phone']))
  expect(await runs.start('t', { agent: 'greeter', input: 'Hi' }).result).toMatchObject({
    text: 'Hello again.',
  })
  await expectWhole(log)
})
