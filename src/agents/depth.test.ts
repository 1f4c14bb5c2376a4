import { expect, test } from 'vitest'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import { z } from 'zod'
import {
  calling,
  eventsOf,
  expectWhole,
  glance,
  only,
  replies,
  withAgents,
} from './runs.fixture.ts'

const saying = (name: string, text = `I am ${name}`) =>
  defineAgent({ name, model: scriptedModel(() => text) })

test('[C014] a single agent: the caller sends a message, events come back to the caller', async () => {
  const { ask, log } = withAgents([saying('A', 'Hello')])
  const turn = ask('Hi')
  expect(glance(await eventsOf(turn))).toEqual([
    'A/0 prompt_started',
    'A/0 completion_start',
    'A/0 chat_output',
    'A/0 completion_end',
    'A/0 turn_end',
  ])
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'Hello' })
  await expectWhole(log)
})

/** `event1` of A, then A calls B, and B gives `event 2`. */
function callsB() {
  const b = saying('B', 'event 2')
  const a = defineAgent({
    name: 'A',
    model: replies({ text: 'event1', ...calling(['call_b', { message: 'call B' }]) }, 'Done'),
    agents: [b],
  })
  return withAgents([a])
}

test('[C015] [C017] [C018] [C019] the caller receives event1 (agent A, depth 0), then event2 (agent B, depth 1)', async () => {
  const { ask, log } = callsB()
  const events = await eventsOf(ask('msg'))
  const [event1, event2] = only(events, 'chat_output')
  expect(event1).toMatchObject({ agent: 'A', depth: 0, delta: 'event1' })
  expect(event2).toMatchObject({ agent: 'B', depth: 1, delta: 'event 2', path: ['A', 'B'] })
  await expectWhole(log)
})

test('[C001] [C016] [C022] every event of a tree reaches the caller once, with its agent and its depth', async () => {
  const leaf = saying('leaf')
  const middle = (name: string) =>
    defineAgent({
      name,
      model: replies(
        calling(['call_leaf', { message: 'a' }], ['call_leaf', { message: 'b' }]),
        'm',
      ),
      agents: [leaf],
    })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_b', { message: '1' }], ['call_c', { message: '2' }]), 'End'),
    agents: [middle('B'), middle('C')],
  })
  const { ask, log } = withAgents([top])
  const events = await eventsOf(ask('Go'))
  const ended = only(events, 'turn_end').map(({ path, depth }) => `${path.join('>')} ${depth}`)
  expect(ended.toSorted()).toEqual([
    'top 0',
    'top>B 1',
    'top>B>leaf 2',
    'top>B>leaf 2',
    'top>C 1',
    'top>C>leaf 2',
    'top>C>leaf 2',
  ])
  expect(new Set(events.map(({ run }) => run)).size).toBe(7)
  expect(new Set(events.map(({ turn }) => turn)).size).toBe(1)
  await expectWhole(log)
})

test('[C009] [C010] [C011] depth is 0 at the top and one more at each level, to depth 3', async () => {
  let below = saying('d3')
  for (const name of ['d2', 'd1', 'd0']) {
    below = defineAgent({
      name,
      model: replies(calling([`call_${below.name}`, { message: 'down' }]), `I am ${name}`),
      agents: [below],
    })
  }
  const { ask, log } = withAgents([below])
  const events = await eventsOf(ask('Go'))
  for (const { agent, depth, path } of events) {
    expect(depth).toBe(Number(agent.slice(1)))
    expect(path).toEqual(['d0', 'd1', 'd2', 'd3'].slice(0, depth + 1))
  }
  expect(new Set(events.map(({ depth }) => depth))).toEqual(new Set([0, 1, 2, 3]))
  await expectWhole(log)
})

test('[C016] [C021] the caller has a child’s event while the child still runs', async () => {
  const gate = Promise.withResolvers<string>()
  const child = defineAgent({
    name: 'child',
    model: replies({ text: 'Working on it', ...calling(['wait']) }, 'Done'),
    tools: { wait: tool({ inputSchema: z.object({}), execute: () => gate.promise }) },
  })
  const parent = defineAgent({
    name: 'parent',
    model: replies(calling(['call_child', { message: 'go' }]), 'All done'),
    agents: [child],
  })
  const { ask } = withAgents([parent])
  const seen: CallerEvent[] = []
  for await (const event of ask('Go')) {
    seen.push(event)
    // The child cannot end before the caller has seen its text.
    if (event.type === 'chat_output' && event.agent === 'child') gate.resolve('gone on')
  }
  expect(glance(seen)).toContain('child/1 turn_end')
  expect(seen.at(-1)).toMatchObject({ type: 'turn_end', agent: 'parent', result: 'All done' })
})

test('[C012] [C020] a reader that filters by depth does not see sub-agents', async () => {
  const events = await eventsOf(callsB().ask('msg'))
  const top = events.filter(({ depth }) => depth === 0)
  expect(new Set(top.map(({ agent }) => agent))).toEqual(new Set(['A']))
  expect(events.length).toBeGreaterThan(top.length)
})

test('[C013] the simplest display is the text at depth 0', async () => {
  const events = await eventsOf(callsB().ask('msg'))
  const shown = only(events, 'chat_output').filter(({ depth }) => depth === 0)
  expect(shown.map(({ delta }) => delta)).toEqual(['event1', 'Done'])
})

test('two calls of one agent at once can be told apart by their runs and by the calls that caused them', async () => {
  const echo = defineAgent({
    name: 'echo',
    model: scriptedModel(({ messages }) => `Heard ${messages.at(-1)?.text}`),
  })
  const top = defineAgent({
    name: 'top',
    model: replies(
      calling(['call_echo', { message: '1' }], ['call_echo', { message: '2' }]),
      'End',
    ),
    agents: [echo],
  })
  const events = await eventsOf(withAgents([top]).ask('Go'))
  const heard = only(events, 'chat_output').filter(({ agent }) => agent === 'echo')
  expect(heard.map(({ call, delta }) => [call, delta]).toSorted()).toEqual([
    ['call-1', 'Heard 1'],
    ['call-2', 'Heard 2'],
  ])
  expect(new Set(heard.map(({ run }) => run)).size).toBe(2)
  const [parent] = events
  expect(heard.map(({ parentRun }) => parentRun)).toEqual([parent?.run, parent?.run])
})
