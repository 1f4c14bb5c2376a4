import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { Agent } from './define/agent.ts'
import type { EventLog } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { below, till, user } from './pause.fixture.ts'
import { calling, eventsOf, expectWhole, only, replies, withAgents } from './runs.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const inputSchema = z.object({})

test('a fault of the program’s own ends every run of the tree; the caller gets it, readers do not', async () => {
  const broken = defineAgent({
    name: 'broken',
    model: scriptedModel(() => 'never'),
    instructions: () => {
      throw new TypeError('a secret of the house')
    },
  })
  const slow = tool({ inputSchema, execute: () => new Promise(() => undefined) })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_broken', { message: 'x' }], ['slow']), 'Better now'),
    agents: [broken],
    tools: { slow },
  })
  const { ask, log, records } = withAgents([top])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'turn_end')).toMatchObject([
    { agent: 'broken', reason: 'error', error: { code: 'internal' } },
    { agent: 'top', reason: 'error', error: { code: 'internal' } },
  ])
  await expect(turn.result).rejects.toThrow('a secret of the house')
  expect(JSON.stringify(await records())).not.toContain('secret')
  await expectWhole(log)
  expect(await ask('And now?').result).toMatchObject({ reason: 'success', text: 'Better now' })
  await expectWhole(log)
})

test('instructions that come as a promise fail the turn, and its error says what to return', async () => {
  // A program that runs without a type check can have such a function.
  const instructions = (() => Promise.resolve('Be brief')) as unknown as () => string
  const agent = defineAgent({ name: 'late', model: scriptedModel(() => 'never'), instructions })
  await expect(withAgents([agent]).ask('Go').result).rejects.toMatchObject({
    code: 'invalid_agent',
    message: 'Cannot use agent "late": its `instructions` returned a promise; return a text',
  })
})

test('a log that fails at any append fails the turn for every caller that waits for it', async () => {
  const child = defineAgent({ name: 'child', model: scriptedModel(() => 'x'.repeat(3_000)) })
  let failed = 0
  for (let appends = 0; appends < 40; appends++) {
    const top = defineAgent({
      name: 'top',
      model: replies({ reasoning: 'Hm', ...calling(['call_child', { message: 'x' }]) }, 'End'),
      agents: [child],
    })
    let left = appends
    const { ask } = withAgents([top], { log: refusingLog(memoryLog(), () => left-- <= 0) })
    const turn = ask('Go')
    const settled = await Promise.allSettled([turn.result, eventsOf(turn)])
    const [result, events] = settled.map(({ status }) => status)
    if (result === 'fulfilled') break
    failed++
    expect(settled[0]).toMatchObject({ reason: { code: 'io' } })
    expect(events).toBe('rejected')
  }
  expect(failed).toBeGreaterThan(5)
  expect(failed).toBeLessThan(40)
})

test('[S15] a sub-agent whose end cannot be appended is ended before its caller', async () => {
  const leaf = defineAgent({ name: 'leaf', model: scriptedModel(() => 'Done') })
  const child = defineAgent({
    name: 'child',
    model: replies(calling(['call_leaf', { message: 'x' }])),
    agents: [leaf],
  })
  const top = defineAgent({
    name: 'top',
    model: replies(calling(['call_child', { message: 'x' }]), 'Better now'),
    agents: [child],
  })
  const log = memoryLog()
  // The first record of its step, and its end.
  let refused = 2
  const full = refusingLog(log, ([event]) => {
    const isLeafs = event?.origin?.agent === 'leaf' && event.type !== 'SUBAGENT_STARTED'
    return isLeafs && refused-- > 0
  })
  const { ask, records } = withAgents([top], { log: full })
  await expect(ask('Go').result).rejects.toMatchObject({ code: 'io' })
  const ends = (await records()).filter(({ type }) => /^(RUN|SUBAGENT)_ERROR$/.test(type))
  expect(ends.map(({ origin }) => origin.agent)).toEqual(['leaf', 'child', 'top'])
  await expectWhole(log)
})

test('a call that waits keeps its agent from handing over, and the model reads that', async () => {
  const { pay } = till()
  const next = defineAgent<Json>({ name: 'next', model: scriptedModel(() => 'mine now') })
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? messages.map(({ text }) => text).join(' | ')
      : calling(['pay', { amount: 5 }], ['handoff_to_next']),
  )
  const agent = defineAgent<Json>({ name: 'A', model, tools: { pay }, handoffs: [next] })
  const { ask, resume, log } = withAgents([agent])
  const turn = ask('Go')
  expect(only(await eventsOf(turn), 'tool_error')).toMatchObject([{ code: 'one_handoff' }])
  const { text } = await resume(turn.run, { approved: true }).result
  expect(text).toContain('paid 5')
  expect(text).toContain('another call waits for a person')
  await expectWhole(log)
})

const gone = (agents: readonly Agent<Json>[], log: EventLog) => withAgents(agents, { log })

test('a question of an agent that is no more is answered with an error, and can be given up', async () => {
  const log = memoryLog()
  const { pay } = till()
  const asking = user('payer', ['pay', pay], { amount: 5 })
  const { run } = await withAgents([asking], { log }).ask('Pay').result
  const { resume, runs, ask } = gone([below(1, user('other', ['pay', pay], { amount: 1 }))], log)
  await expect(resume(run, { approved: true }).result).rejects.toMatchObject({
    code: 'unknown_agent',
    message: expect.stringMatching(/^Cannot resume "payer": the agents are "/) as string,
  })
  expect(await runs.cancel('t')).toBe(true)
  expect(await ask('Go').result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})

test('a sub-agent’s tool that was removed is an error that the model reads', async () => {
  const log = memoryLog()
  const { pay, paid } = till()
  const { run } = await withAgents([below(1, user('payer', ['pay', pay], { amount: 5 }))], {
    log,
  }).ask('Pay').result
  const noTools = defineAgent<Json>({
    name: 'payer',
    model: scriptedModel(() => 'I cannot pay any more'),
  })
  const turn = gone([below(1, noTools)], log).resume(run, { approved: true })
  expect(only(await eventsOf(turn), 'tool_error')).toMatchObject([{ code: 'unknown_tool' }])
  expect(await turn.result).toMatchObject({ reason: 'success' })
  expect(paid).toEqual([])
  await expectWhole(log)
})

test('a caller’s own tool may be answered with nothing', async () => {
  const locate = tool({ inputSchema })
  const { ask, resume, log } = withAgents([user('guide', ['locate', locate])])
  const { run, waits } = await ask('Where?').result
  const { text } = await resume(run, { [waits[0]?.toolCallId ?? '']: null }).result
  expect(text).toBe('Then: null')
  await expectWhole(log)
})
