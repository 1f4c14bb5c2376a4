import { expect, test } from 'vitest'
import { defineAgent } from './define/agent.ts'
import { scriptedModel } from '../models/index.ts'
import { calling, expectWhole, replies, streamingModel, withAgents } from './runs.fixture.ts'

test('usage is the whole tree’s, by agent and by model, and the asked agent’s own apart', async () => {
  const small = defineAgent({
    name: 'small',
    model: scriptedModel(() => 'tiny', { modelId: 'small-1' }),
  })
  const top = defineAgent({
    name: 'top',
    model: replies(
      calling(['call_small', { message: '1' }], ['call_small', { message: '2' }]),
      'End',
    ),
    agents: [small],
  })
  const { ask } = withAgents([top], {
    prices: { 'small-1': { input: 1, output: 2 }, 'throughline/scripted': { input: 3, output: 4 } },
  })
  const { usage } = await ask('Go').result
  const { own, total, byAgent, byModel } = usage
  expect([own.calls, total.calls]).toEqual([2, 4])
  expect(Object.keys(byAgent).toSorted()).toEqual(['small', 'top'])
  expect(byAgent['top']).toEqual(own)
  expect(byModel['throughline/small-1']).toEqual(byAgent['small'])
  expect((own.inputTokens ?? 0) + (byAgent['small']?.inputTokens ?? 0)).toBe(total.inputTokens)
  expect((own.cost ?? 0) + (byAgent['small']?.cost ?? 0)).toBeCloseTo(total.cost ?? 0)
  const { inputTokens = 0, outputTokens = 0, cost } = byAgent['small'] ?? {}
  expect(cost).toBeCloseTo((inputTokens + 2 * outputTokens) / 1_000_000)
})

test.each(['constructor', 'toString', '__proto__'])(
  'a model named "%s" has the price that is given for it, else none',
  async (modelId) => {
    const agent = defineAgent({ name: 'A', model: scriptedModel(() => 'Hi', { modelId }) })
    const priced = Object.fromEntries([[modelId, { input: 1, output: 2 }]])
    const { usage } = await withAgents([agent], { prices: priced }).ask('Go').result
    expect(usage.total.cost).toBeGreaterThan(0)
    const without = await withAgents([agent], { prices: {} }).ask('Go').result
    expect(without.usage.total).toMatchObject({ unpriced: 1 })
    expect(without.usage.total).not.toHaveProperty('cost')
  },
)

test('calls that failed or were stopped are counted, and what they used is unknown, not 0', async () => {
  const flaky = defineAgent({
    name: 'flaky',
    model: scriptedModel(({ index }) => (index < 2 ? { fail: new Error('overloaded') } : 'ok')),
  })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_flaky', { message: '1' }]), 'End'),
    agents: [flaky],
  })
  const { ask, log } = withAgents([top])
  const { usage, reason } = await ask('Go').result
  expect(reason).toBe('success')
  expect(usage.byAgent['flaky']).toEqual({
    calls: 2,
    unreported: 2,
    unpriced: 2,
    unreportedTokens: expect.any(Number),
  })
  expect(usage.total).toMatchObject({ calls: 4, unreported: 2 })
  await expectWhole(log)
})

test('the highest possible cost of calls that reported nothing is separate from the known cost', async () => {
  const agent = defineAgent({
    name: 'A',
    model: streamingModel(['Hi'], 'ends'),
    limits: { outputTokens: 1_000 },
  })
  const { ask } = withAgents([agent], { prices: { scripted: { input: 0, output: 5 } } })
  const { usage } = await ask('Go').result
  expect(usage.total).toMatchObject({ unreported: 1, unpriced: 1, unreportedCost: 0.005 })
  expect(usage.total).not.toHaveProperty('cost')
})

test('a turn that was stopped reports its usage until then', async () => {
  const hanging = defineAgent({ name: 'hanging', model: streamingModel(['a'], 'never ends') })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_hanging', { message: '1' }])),
    agents: [hanging],
  })
  const { ask, runs } = withAgents([top])
  const turn = ask('Go')
  for await (const { type } of turn) if (type === 'chat_output') await runs.cancel('t')
  const { usage } = await turn.result
  expect(usage.byAgent['hanging']).toMatchObject({ calls: 1, unreported: 1, unpriced: 1 })
  expect(usage.byAgent['hanging']).not.toHaveProperty('outputTokens')
  expect(usage.own).toMatchObject({ calls: 1, unreported: 0 })
})

test('cached and reasoning tokens are kept apart, and cost their own price', async () => {
  const model = streamingModel([], 'ends')
  model.doStream = async () => ({
    stream: new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'text-delta', id: '0', delta: 'Done' })
        controller.enqueue({
          type: 'finish',
          usage: {
            inputTokens: { total: 1_000, noCache: 100, cacheRead: 700, cacheWrite: 200 },
            outputTokens: { total: 50, text: 20, reasoning: 30 },
          },
          finishReason: { unified: 'stop', raw: 'stop' },
        })
        controller.close()
      },
    }),
  })
  const { ask, records } = withAgents([defineAgent({ name: 'A', model })], {
    prices: { scripted: { input: 10, output: 100, cachedInput: 1, cacheWrite: 12 } },
  })
  const { usage } = await ask('Go').result
  expect(usage.total).toEqual({
    calls: 1,
    unreported: 0,
    unpriced: 0,
    inputTokens: 1_000,
    outputTokens: 50,
    totalTokens: 1_050,
    reasoningTokens: 30,
    cachedInputTokens: 700,
    cacheWriteInputTokens: 200,
    cost: (100 * 10 + 700 * 1 + 200 * 12 + 50 * 100) / 1_000_000,
  })
  expect((await records()).at(-1)?.data).toMatchObject({
    usage: [{ provider: 'throughline', model: 'scripted', cachedInputTokens: 700 }],
  })
})

test('a run’s end reports the usage of its tree, one entry for each model', async () => {
  const small = defineAgent({
    name: 'small',
    model: scriptedModel(() => 'x', { modelId: 'small-1' }),
  })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_small', { message: '1' }]), 'End'),
    agents: [small],
  })
  const { ask, records } = withAgents([top])
  const { usage } = await ask('Go').result
  expect((await records()).at(-1)?.data).toMatchObject({
    usage: [
      { model: 'scripted', inputTokens: usage.own.inputTokens },
      { model: 'small-1', inputTokens: usage.byAgent['small']?.inputTokens },
    ].toSorted((one, other) => one.model.localeCompare(other.model)),
  })
})
