import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import type { Agent } from './define/agent.ts'
import type { Tool } from './define/tool.ts'
import type { Json } from '../json/index.ts'
import type { EventLog } from '../log/index.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { askName, below, till, user } from './pause.fixture.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  glance,
  only,
  replies,
  withAgents,
} from './runs.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

test.each([0, 2])(
  'a tool asks for values from depth %i and is called again with them',
  async (depth) => {
    const { ask, resume, log } = withAgents([below(depth, user('asker', ['ask', askName]))])
    const turn = ask('Who?')
    const asked = await turn.result
    expect(asked.waits).toMatchObject([
      { reason: 'input_required', requestKeys: { name: 'What is your name?' } },
    ])
    const { text } = await resume(asked.run, { name: 'Ada' }).result
    expect(text).toContain('The name is Ada')
    await expectWhole(log)
  },
)

test('an answer may name the sub-agent’s run that asked', async () => {
  const { ask, resume, records, log } = withAgents([below(2, user('asker', ['ask', askName]))])
  await ask('Who?').result
  const runs = (await records()).filter(({ type }) => type === 'SUBAGENT_STARTED')
  const asking = runs.at(-1)?.origin.run ?? ''
  expect((await resume(asking, { name: 'Ada' }).result).text).toContain('The name is Ada')
  await expectWhole(log)
})

test('a tool may ask again, and again, until it knows', async () => {
  const twice = tool({
    inputSchema: z.object({}),
    execute: (_input, { values = {}, pause }) => {
      if (values['first'] === undefined && values['second'] === undefined)
        return pause({ first: '1?' })
      if (values['second'] === undefined) return pause({ second: '2?' })
      return `got ${JSON.stringify(values)}`
    },
  })
  const { ask, resume, log } = withAgents([below(1, user('asker', ['ask', twice]))])
  const first = await ask('Go').result
  const second = await resume(first.run, { first: 'a' }).result
  expect(second).toMatchObject({ reason: 'interrupt', waits: [{ requestKeys: { second: '2?' } }] })
  await expect(resume(first.run, { second: 'b' }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
  const third = await resume(second.run, { second: 'b' }).result
  expect(third).toMatchObject({ reason: 'success' })
  expect(third.text).toContain('"second":"b"')
  // Earlier answers are still known.
  expect(third.text).toContain('"first":"a"')
  await expectWhole(log)
})

test('a tool of the caller’s own ends the turn with the call, and goes on with the result', async () => {
  const locate = tool({ inputSchema: z.object({ precise: z.boolean() }) })
  const { ask, resume, log, records } = withAgents([
    user('guide', ['locate', locate], { precise: true }),
  ])
  const turn = ask('Where am I?')
  const { run, waits } = await turn.result
  expect(waits).toMatchObject([
    { reason: 'client_tool', toolName: 'locate', arguments: '{"precise":true}' },
  ])
  const [wait] = waits
  const finished = (await records()).at(-1)
  expect(finished?.data).toMatchObject({
    outcome: { type: 'success', pendingToolCallIds: [wait?.toolCallId] },
  })
  const result = await resume(run, { [wait?.toolCallId ?? '']: { city: 'Paris' } }).result
  expect(result.text).toBe('Then: {"city":"Paris"}')
  await expectWhole(log)
})

/** Two of a kind below one, asked at once. */
function both(child: (name: string) => Agent<Json>): Agent<Json> {
  return defineAgent({
    name: 'top',
    model: replies(
      calling(['call_one', { message: '1' }], ['call_two', { message: '2' }]),
      ({ messages }) => messages.map(({ text }) => text).join('; '),
    ),
    agents: [child('one'), child('two')],
  })
}

test('two questions at once are answered together, each under its wait’s id', async () => {
  const { ask, resume, log } = withAgents([both((name) => user(name, ['ask', askName]))])
  const { run, waits } = await ask('Go').result
  expect(waits).toHaveLength(2)
  await expect(resume(run, { name: 'Ada' }).result).rejects.toMatchObject({
    code: 'invalid_values',
    message: expect.stringContaining(waits[0]?.id ?? '?'),
  })
  const [one, two] = waits
  if (!one || !two) throw new Error('two waits')
  await expect(resume(run, { [one.id]: { name: 'Ada' } }).result).rejects.toMatchObject({
    code: 'invalid_values',
  })
  const values = { [one.id]: { name: `for ${one.agent}` }, [two.id]: { name: `for ${two.agent}` } }
  const { text } = await resume(run, values).result
  expect(text).toContain('Then: The name is for one')
  expect(text).toContain('Then: The name is for two')
  await expectWhole(log)
})

test('a branch that has ended is not run again when the other one goes on', async () => {
  const { paid, pay } = till()
  const child = (name: string) =>
    name === 'one' ? user(name, ['pay', pay], { amount: 1 }) : user(name, ['ask', askName])
  const { ask, resume, log } = withAgents([both(child)])
  const { run, waits } = await ask('Go').result
  expect(waits).toHaveLength(1)
  const turn = resume(run, { name: 'Ada' })
  const events = await eventsOf(turn)
  expect((await turn.result).text).toContain('paid 1')
  expect(paid).toEqual([1])
  expect(events.some(({ agent }) => agent === 'one')).toBe(false)
  await expectWhole(log)
})

test('an agent that was handed the conversation may ask, and the turn goes on with it', async () => {
  const first = defineAgent({
    name: 'first',
    model: scriptedModel(() => calling(['handoff_to_asker', { message: 'ask them' }])),
    handoffs: [user('asker', ['ask', askName])],
  })
  for (const top of [first, below(1, first), below(3, first)]) {
    const { ask, resume, log } = withAgents([top])
    const { run } = await ask('Go').result
    const turn = resume(run, { name: 'Ada' })
    const events = await eventsOf(turn)
    expect((await turn.result).text).toContain('The name is Ada')
    expect(glance(events).filter((line) => line.startsWith('first/'))).toEqual([])
    await expectWhole(log)
  }
})

test('a question outlives the process: another one, on the same log, takes the answer', async () => {
  const { paid, pay } = till()
  const log = memoryLog()
  const agents = [below(2, user('payer', ['pay', pay], { amount: 5 }))]
  const { run } = await withAgents(agents, { log }).ask('Pay').result
  const later = withAgents([below(2, user('payer', ['pay', pay], { amount: 5 }))], { log })
  await later.runs.recover('t')
  const turn = later.resume(run, { approved: true })
  const events = await eventsOf(turn)
  expect(await turn.result).toMatchObject({ reason: 'success' })
  expect(paid).toEqual([5])
  expect(events.length).toBeGreaterThan(3)
})

test('cancelling gives a question up: nothing runs, the thread is free', async () => {
  const { paid, pay } = till()
  const { ask, runs, resume, log } = withAgents([
    below(1, user('payer', ['pay', pay], { amount: 5 })),
  ])
  const { run } = await ask('Pay').result
  expect(await runs.cancel('t', { run: 'another' })).toBe(false)
  expect(await Promise.all([runs.cancel('t'), runs.cancel('t')])).toContain(true)
  expect(await runs.cancel('t')).toBe(false)
  await expect(resume(run, { approved: true }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
  // The model asks anew: a question that was dropped does not count as agreed to.
  expect(await ask('Something else').result).toMatchObject({ reason: 'interrupt' })
  expect(paid).toEqual([])
  await expectWhole(log)
})

/** Uses one tool once, whatever other agents of the thread say meanwhile. */
function onceUser(
  name: string,
  [toolName, used]: readonly [string, Tool],
  input: Json = {},
): Agent<Json> {
  const model = scriptedModel(({ messages }) => {
    const result = messages.findLast(({ role }) => role === 'tool')
    return result ? `Then: ${result.text}` : calling([toolName, input])
  })
  return defineAgent({ name, model, tools: { [toolName]: used } })
}

test('while an agent waits, another agent of the thread works, and the answer still counts', async () => {
  const { paid, pay } = till()
  const payer = onceUser('payer', ['pay', pay], { amount: 5 })
  const model = scriptedModel(({ system }) =>
    system.startsWith('Sum up') ? 'They talked.' : 'Noted, at some length',
  )
  const other = defineAgent({ name: 'other', model, limits: { historyChars: 60 } })
  const { ask, resume, log, records } = withAgents([payer, other])
  const { run } = await ask('Pay').result
  for (let turn = 0; turn < 6; turn++) {
    const { reason } = await ask(`Question number ${turn}`, 'other').result
    expect(reason).toBe('success')
  }
  expect(JSON.stringify(await records())).toContain('history_compacted')
  await expect(ask('Pay again').result).rejects.toMatchObject({ code: 'waiting_for_input' })
  const turn = resume(run, { approved: true })
  const results = only(await eventsOf(turn), 'tool_result')
  expect(results).toMatchObject([{ name: 'pay', result: 'paid 5' }])
  expect((await turn.result).text).toBe('Then: paid 5')
  expect(paid).toEqual([5])
  await expectWhole(log)
})

test('two agents wait at once, and each is answered for itself', async () => {
  const { ask, resume, runs, log } = withAgents([
    onceUser('one', ['ask', askName]),
    user('two', ['ask', askName]),
  ])
  const [first, second] = [await ask('Go', 'one').result, await ask('Go', 'two').result]
  expect([first.reason, second.reason]).toEqual(['interrupt', 'interrupt'])
  expect((await resume(first.run, { name: 'Ada' }).result).text).toBe('Then: The name is Ada')
  expect(await runs.cancel('t', { run: second.run })).toBe(true)
  await expect(resume(second.run, { name: 'Bob' }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
  await expectWhole(log)
})

test('[S15] a question is cancelled at once while another agent is at work, and never answered', async () => {
  const { paid, pay } = till()
  const open = Promise.withResolvers<string>()
  const other = defineAgent({ name: 'other', model: scriptedModel(() => open.promise) })
  const { ask, resume, runs, log, gate } = withAgents([
    onceUser('payer', ['pay', pay], { amount: 5 }),
    other,
  ])
  const { run } = await ask('Pay').result
  const working = ask('Think', 'other')
  await working.started
  const late = resume(run, { approved: true })
  expect(await runs.cancel('t', { run, by: 'customer' })).toBe(true)
  const { waiting } = (await gate.snapshot('t')).pauses
  expect(waiting).toMatchObject([{ run, cancelledBy: 'customer' }])
  open.resolve('Thought')
  expect(await working.result).toMatchObject({ reason: 'success' })
  await expect(late.result).rejects.toMatchObject({ code: 'not_waiting' })
  expect((await gate.snapshot('t')).pauses.waiting).toEqual([])
  expect(await runs.cancel('t', { run })).toBe(false)
  expect(paid).toEqual([])
  await expectWhole(log)
})

test('[S15] a question that is cancelled while another agent is at work ends after that one', async () => {
  const open = Promise.withResolvers<string>()
  const other = defineAgent({ name: 'other', model: scriptedModel(() => open.promise) })
  const { ask, runs, log, gate } = withAgents([onceUser('asker', ['ask', askName]), other])
  const { run } = await ask('Go').result
  const working = ask('Think', 'other')
  await working.started
  expect(await runs.cancel('t')).toBe(true)
  expect(await runs.cancel('t', { run })).toBe(true)
  expect(await working.result).toMatchObject({ reason: 'cancelled' })
  await expect.poll(async () => (await gate.snapshot('t')).pauses.waiting).toEqual([])
  await expectWhole(log)
})

test('[S15] a question whose cancel is on record ends in the next process', async () => {
  const log = memoryLog()
  const agents = [user('asker', ['ask', askName])]
  const stopping = withAgents(agents, { log })
  const { run } = await stopping.ask('Go').result
  expect(await stopping.runs.dueAt('t')).toBeUndefined()
  await stopping.runs.drain(0)
  expect(await stopping.runs.cancel('t', { run })).toBe(true)
  const { runs, resume, gate } = withAgents(agents, { log })
  expect(await runs.dueAt('t')).toBe(0)
  await runs.recover('t')
  expect(await runs.dueAt('t')).toBeUndefined()
  expect((await gate.snapshot('t')).pauses.waiting).toEqual([])
  await expect(resume(run, { name: 'Ada' }).result).rejects.toMatchObject({ code: 'not_waiting' })
  await expectWhole(log)
})

test('[S15] an answer that begins while its question is being cancelled is refused', async () => {
  const log = memoryLog()
  const { paid, pay } = till()
  const agents = [onceUser('payer', ['pay', pay], { amount: 5 })]
  const other = withAgents(agents, { log })
  const { run } = await other.ask('Pay').result
  let isFirst = true
  const raced: EventLog = {
    ...refusingLog(log, () => false),
    append: async (thread, events, options) => {
      if (isFirst) expect(await other.runs.cancel('t', { run })).toBe(true)
      isFirst = false
      return log.append(thread, events, options)
    },
  }
  const { resume, ask } = withAgents(agents, { log: raced })
  const turn = resume(run, { approved: true })
  await expect(turn.result).rejects.toMatchObject({ code: 'not_waiting' })
  expect(paid).toEqual([])
  expect(await ask('Pay again').result).toMatchObject({ reason: 'interrupt' })
  await expectWhole(log)
})
