import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import { wholeTree } from './index.ts'
import type { EndedRun } from './index.ts'
import { calling, eventsOf, replies, streamingModel, withAgents } from './runs.fixture.ts'

const saying = (name: string) => defineAgent({ name, model: scriptedModel(() => `I am ${name}`) })
const failing = defineAgent({
  name: 'failing',
  model: scriptedModel(() => ({ fail: new Error('overloaded') })),
})
const asking = defineAgent({
  name: 'asking',
  model: scriptedModel(() => calling(['ask'])),
  tools: { ask: tool({ inputSchema: z.object({}), needsApproval: true, execute: () => '' }) },
})
const handing = defineAgent({
  name: 'handing',
  model: scriptedModel(() => calling(['handoff_to_last'])),
  handoffs: [saying('last')],
})

/** Calls each of the agents once, at the same time. */
const over = (...agents: Parameters<typeof withAgents>[0]) =>
  defineAgent({
    name: 'top',
    model: replies(
      calling(...agents.map(({ name }) => [`call_${name}`, { message: 'go' }] as const)),
      'End',
    ),
    agents,
  })

const ends = (runs: readonly EndedRun[]) =>
  runs.map(
    ({ agent, depth, end }) => `${agent}/${depth} ${'reason' in end ? end.reason : end.type}`,
  )

test('[C023] the whole tree has ended when every agent that was seen has ended its turn', async () => {
  const { ask } = withAgents([over(saying('one'), failing, saying('two'), handing)])
  const runs = await wholeTree(ask('Go'))
  expect(ends(runs).toSorted()).toEqual([
    'failing/1 error',
    'handing/1 handoff',
    'last/1 success',
    'one/1 success',
    'top/0 success',
    'two/1 success',
  ])
})

test('[C023] reading to the end and the result of a turn wait for the same', async () => {
  const { ask } = withAgents([over(saying('one'), failing, handing)])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  await turn.result
  expect(await wholeTree(events)).toEqual(await wholeTree(turn))
  expect(await wholeTree(events)).toHaveLength(5)
})

test('[C023] agents that wait for a person have ended, and take part again when they go on', async () => {
  const { ask, resume } = withAgents([over(saying('one'), asking)])
  const turn = ask('Go')
  const waiting = await eventsOf(turn)
  expect(ends(await wholeTree(waiting))).toEqual([
    'top/0 wait_for_input',
    'one/1 success',
    'asking/1 wait_for_input',
  ])
  const resumed = resume(turn.run, { approved: false })
  expect(ends(await wholeTree(resumed)).at(-1)).toContain('asking/1 wait_for_input')
})

test('[C023] agents that are stopped have ended', async () => {
  const { ask, runs } = withAgents([
    over(defineAgent({ name: 'slow', model: streamingModel(['a'], 'never ends') })),
  ])
  const turn = ask('Go')
  const tree = wholeTree(turn)
  for await (const { type } of turn) if (type === 'chat_output') await runs.cancel('t')
  expect(ends(await tree)).toEqual(['top/0 turn_cancelled', 'slow/1 turn_cancelled'])
})

test('[C023] at no moment before the last agent has ended does the tree seem to have ended', async () => {
  const { ask } = withAgents([over(saying('one'), failing, handing)])
  const events = await eventsOf(ask('Go'))
  for (let length = 0; length < events.length; length++) {
    await expect(wholeTree(events.slice(0, length))).rejects.toMatchObject({ code: 'cut' })
  }
})

test('[C023] a late reader waits for callers that have written nothing since', async () => {
  const { ask } = withAgents([over(saying('one'))])
  const events = await eventsOf(ask('Go'))
  const from = events.findIndex(({ depth }) => depth === 1)
  const late: readonly CallerEvent[] = events.slice(from)
  const childEnd = late.findIndex(({ type, depth }) => type === 'turn_end' && depth === 1)
  await expect(wholeTree(late.slice(0, childEnd + 1))).rejects.toMatchObject({
    code: 'cut',
    message: expect.stringContaining('top'),
  })
  expect(ends(await wholeTree(late)).toSorted()).toEqual(['one/1 success', 'top/0 success'])
})

test('a hand-off at the top is followed', async () => {
  const { ask } = withAgents([handing])
  expect(ends(await wholeTree(ask('Go')))).toEqual(['handing/0 handoff', 'last/0 success'])
})
