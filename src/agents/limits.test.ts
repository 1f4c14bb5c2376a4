import { expect, test } from 'vitest'
import { z } from 'zod'
import { AGENT_LIMITS } from './define/agent-limits.ts'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { Agent } from './define/agent.ts'
import type { AgentLimits } from './define/agent-limits.ts'
import type { Json } from '../json/index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  only,
  replies,
  streamingModel,
  withAgents,
} from './runs.fixture.ts'

const noop = tool({ inputSchema: z.object({}), execute: () => 'done' })

/** Never has enough: each step calls a tool. */
const restless = (
  limits: Partial<AgentLimits>,
  ...calls: readonly (readonly [name: string, input?: unknown])[]
) =>
  defineAgent({
    name: 'A',
    model: scriptedModel(() => calling(...calls)),
    tools: { noop },
    limits,
  })

test('an agent that never ends is ended after so many steps', async () => {
  const { ask, log } = withAgents([restless({ steps: 3 }, ['noop'])])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'completion_start')).toHaveLength(3)
  expect(await turn.result).toMatchObject({
    reason: 'limit',
    error: { code: 'limit_steps', message: 'Cannot go on: "A" may call its model 3 times' },
  })
  await expectWhole(log)
})

test('a run calls so many tools and no more, and none of those that are too many', async () => {
  const { ask, log } = withAgents([
    restless({ toolCalls: 3 }, ['noop', { n: 1 }], ['noop', { n: 2 }]),
  ])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'tool_result')).toHaveLength(2)
  expect(await turn.result).toMatchObject({ reason: 'limit', error: { code: 'limit_tool_calls' } })
  await expectWhole(log)
})

test('an agent that calls itself reads the maximum depth', async () => {
  const self: Agent<Json> = defineAgent<Json>({
    name: 'self',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? `After: ${messages.at(-1)?.text}`
        : calling(['call_self', { message: 'again' }]),
    ),
    agents: () => [self],
    limits: { depth: 2 },
  })
  const { ask, log } = withAgents([self])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(Math.max(...events.map(({ depth }) => depth))).toBe(2)
  expect(only(events, 'tool_error')).toMatchObject([{ depth: 2, code: 'limit_depth' }])
  expect(await turn.result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})

test('a long result is cut for the model, which reads that it was cut', async () => {
  const long = tool({ inputSchema: z.object({}), execute: () => 'x'.repeat(5_000) })
  const seen: string[] = []
  const agent = defineAgent({
    name: 'A',
    model: replies(calling(['long']), ({ messages }) => {
      seen.push(messages.at(-1)?.text ?? '')
      return 'ok'
    }),
    tools: { long },
    limits: { resultChars: 100 },
  })
  await withAgents([agent]).ask('Go').result
  expect(seen).toEqual([
    `${'x'.repeat(100)}\n[The result has 5000 characters; the rest is cut off.]`,
  ])
})

test('a cut never falls inside a character', async () => {
  const emoji = tool({ inputSchema: z.object({}), execute: () => '😀'.repeat(100) })
  const seen: string[] = []
  const agent = defineAgent({
    name: 'A',
    model: replies(calling(['emoji']), ({ messages }) => {
      seen.push(messages.at(-1)?.text ?? '')
      return 'ok'
    }),
    tools: { emoji },
    limits: { resultChars: 51 },
  })
  await withAgents([agent]).ask('Go').result
  expect(seen[0]?.isWellFormed()).toBe(true)
})

/** A child that counts its model calls, each of which uses exactly its budget. */
function swarm(limits: Partial<AgentLimits>) {
  let calls = 0
  const model = scriptedModel(() => {
    calls++
    return 'x'.repeat(400)
  })
  const worker = defineAgent({ name: 'worker', model, limits: { outputTokens: 100 } })
  const asks = Array.from({ length: 50 }, (_, n) => ['call_worker', { message: `${n}` }] as const)
  const top = defineAgent({
    name: 'top',
    model: replies(calling(...asks), 'End'),
    agents: [worker],
    limits: { outputTokens: 500, ...limits },
  })
  return { top, workerCalls: () => calls }
}

test('[M8] fifty sub-agents at once against a token budget: no model call passes it', async () => {
  const { top, workerCalls } = swarm({ tokens: 5_000 })
  const { ask, log } = withAgents([top])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  const { usage, reason } = await turn.result
  const { inputTokens = 0, outputTokens = 0 } = usage.total
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(5_000)
  expect(workerCalls()).toBeGreaterThan(0)
  expect(workerCalls()).toBeLessThan(50)
  const refused = only(events, 'tool_error').filter(({ code }) => code === 'limit_tokens')
  expect(refused).toHaveLength(50 - workerCalls())
  expect(['success', 'limit']).toContain(reason)
  await expectWhole(log)
})

test('[M8] a cost limit holds the same way, priced by the model', async () => {
  const { top, workerCalls } = swarm({ cost: 0.1 })
  const { ask, log } = withAgents([top], { prices: { scripted: { input: 1, output: 20 } } })
  const { usage } = await ask('Go').result
  expect(usage.total.cost).toBeLessThanOrEqual(0.1)
  expect(usage.total.unpriced).toBe(0)
  expect(workerCalls()).toBeGreaterThan(0)
  expect(workerCalls()).toBeLessThan(50)
  await expectWhole(log)
})

test('a cost limit without a price lets no model call pass, and says what to do', async () => {
  let calls = 0
  const model = scriptedModel(() => `${++calls}`)
  const agent = defineAgent({ name: 'A', model, limits: { cost: 1 } })
  const { ask, log } = withAgents([agent])
  expect(await ask('Go').result).toMatchObject({
    reason: 'limit',
    error: { code: 'limit_cost', message: expect.stringContaining('give one in prices') },
  })
  expect(calls).toBe(0)
  await expectWhole(log)
})

test('what all turns of a thread may use is kept across turns and restarts', async () => {
  const agent = defineAgent({
    name: 'A',
    model: scriptedModel(() => 'x'.repeat(400)),
    limits: { outputTokens: 100 },
  })
  const threadLimits = { tokens: 500 }
  const first = withAgents([agent], { threadLimits })
  const reasons: string[] = []
  for (let n = 0; n < 8; n++) reasons.push((await first.ask('Go').result).reason)
  expect(reasons).toContain('limit')
  const { usage } = await first.gate.snapshot('t')
  expect((usage.total.inputTokens ?? 0) + (usage.total.outputTokens ?? 0)).toBeLessThanOrEqual(500)
  const later = withAgents([agent], { threadLimits, log: first.log })
  expect(await later.ask('Go').result).toMatchObject({
    reason: 'limit',
    error: { code: 'limit_tokens', message: expect.stringContaining('the thread "t"') },
  })
})

test('[M8] calls that reported no usage count as the tokens that were reserved for them', async () => {
  const model = streamingModel(['Hi'], 'ends')
  const agent = defineAgent({ name: 'A', model, limits: { outputTokens: 100 } })
  const threadLimits = { tokens: 1_000 }
  const { ask } = withAgents([agent], { threadLimits })
  const reasons: string[] = []
  for (let n = 0; n < 20; n++) reasons.push((await ask('Go').result).reason)
  expect(reasons.at(-1)).toBe('limit')
  expect(reasons.filter((reason) => reason === 'success').length).toBeLessThanOrEqual(9)
})

test('a price of writing to the cache is reckoned with before a call', async () => {
  const agent = defineAgent({
    name: 'A',
    model: scriptedModel(() => 'ok'),
    instructions: 'x'.repeat(2_000),
    limits: { outputTokens: 0, cost: 0.002 },
  })
  const prices = { scripted: { input: 1, output: 1, cacheWrite: 10 } }
  expect(await withAgents([agent], { prices }).ask('Go').result).toMatchObject({ reason: 'limit' })
})

test('every limit has a bound of its own that holds without asking', () => {
  const { limits } = defineAgent({ name: 'A', model: scriptedModel(() => '') })
  expect(limits).toEqual(AGENT_LIMITS)
  expect(() => restless({ steps: Number.NaN })).toThrow('its limit "steps" is NaN')
  expect(() => restless({ steps: -1 })).toThrow('its limit "steps" is -1')
})
