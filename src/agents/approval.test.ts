import { expect, test } from 'vitest'
import { defineAgent } from './agent.ts'
import type { Json } from '../json/index.ts'
import { below, till, user } from './pause.fixture.ts'
import { calling, eventsOf, expectWhole, only, replies, withAgents } from './runs.fixture.ts'

test.each([0, 1, 3])('an approval is asked for and given from depth %i', async (depth) => {
  const { paid, pay } = till()
  const { ask, resume, log } = withAgents([
    below(depth, user('payer', ['pay', pay], { amount: 5 })),
  ])
  const turn = ask('Pay')
  const events = await eventsOf(turn)
  expect(events.at(-1)).toMatchObject({
    type: 'wait_for_input',
    depth: 0,
    requestKeys: { approved: 'Run pay({"amount":5})?' },
  })
  // A child that waits pauses all its parents, each of which says so.
  expect(only(events, 'wait_for_input').map((event) => event.depth)).toEqual(
    Array.from({ length: depth + 1 }, (_, n) => depth - n),
  )
  const asked = await turn.result
  expect(asked).toMatchObject({
    reason: 'interrupt',
    waits: [{ reason: 'tool_approval', toolName: 'pay', agent: 'payer', depth }],
  })
  expect(paid).toEqual([])
  const resumed = resume(asked.run, { approved: true })
  const after = await eventsOf(resumed)
  expect(after[0]).toMatchObject({ type: 'resume_with_input', depth: 0 })
  expect(await resumed.result).toMatchObject({ reason: 'success' })
  expect((await resumed.result).text).toContain('Then: paid 5')
  expect(paid).toEqual([5])
  expect(only(after, 'tool_result')[0]).toMatchObject({ name: 'pay', agent: 'payer', depth })
  // Every model call says what it used, those after the answer as well.
  for (const { usage } of only(after, 'completion_end')) {
    expect(usage.model).toBe('throughline/scripted')
  }
  for (const { agent, result } of only(after, 'turn_end')) expect(result, agent).not.toBe('')
  await expectWhole(log)
})

test('what needs no approval for its input is just run', async () => {
  const { paid, pay } = till()
  const { ask } = withAgents([user('payer', ['pay', pay], { amount: 1 })])
  expect(await ask('Pay').result).toMatchObject({ reason: 'success', text: 'Then: paid 1' })
  expect(paid).toEqual([1])
})

test('a person who does not agree is heard: the tool never runs and the model is told why', async () => {
  const { paid, pay } = till()
  const { ask, resume, log } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { run } = await ask('Pay').result
  const turn = resume(run, { approved: false, reason: 'too much' })
  const events = await eventsOf(turn)
  expect(only(events, 'tool_error')).toMatchObject([{ code: 'denied', name: 'pay' }])
  expect((await turn.result).text).toContain('too much')
  expect(paid).toEqual([])
  await expectWhole(log)
})

test('a question is answered once: the second answer is refused, early or late', async () => {
  const { paid, pay } = till()
  const { ask, resume, log } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { run } = await ask('Pay').result
  const settled = await Promise.allSettled(
    Array.from({ length: 5 }, () => resume(run, { approved: true }).result),
  )
  expect(settled.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
    'rejected',
  ])
  await expect(resume(run, { approved: true }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
  expect(paid).toEqual([5])
  await expectWhole(log)
})

test.each([
  ['is missing', {}, '"approved" is missing'],
  ['is of another kind', { approved: 'yes' }, '"approved" is not true or false'],
  ['has another name', { approved: true, password: 'x' }, 'nobody asked for "password"'],
  ['is a name that every object has', { constructor: true }, 'nobody asked for "constructor"'],
])('an answer that %s is refused, and the question stays', async (_name, values, why) => {
  const { pay } = till()
  const { ask, resume } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { run } = await ask('Pay').result
  await expect(resume(run, values as Readonly<Record<string, Json>>).result).rejects.toMatchObject({
    code: 'invalid_values',
    message: expect.stringContaining(why),
  })
  expect(await resume(run, { approved: true }).result).toMatchObject({ reason: 'success' })
})

test('nothing is resumed where nothing waits', async () => {
  const { pay } = till()
  const { ask, resume } = withAgents([user('payer', ['pay', pay], { amount: 1 })])
  const { run } = await ask('Pay').result
  for (const other of [run, 'nothing']) {
    await expect(resume(other, { approved: true }).result).rejects.toMatchObject({
      code: 'not_waiting',
    })
  }
})

test('a new prompt is refused while a question is open, and so is forgetting', async () => {
  const { pay } = till()
  const { ask, runs, resume } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { run } = await ask('Pay').result
  await expect(ask('Something else').result).rejects.toMatchObject({ code: 'waiting_for_input' })
  await expect(runs.resetHistory('t')).rejects.toMatchObject({ code: 'waiting_for_input' })
  await resume(run, { approved: true }).result
})

test('what a person agrees to is what is run: the input on record, not one that differs from it', async () => {
  const { paid, pay } = till()
  const approved = { ...calling(['pay', { amount: 2 }]) }
  const { ask, resume } = withAgents([
    defineAgent<Json>({ name: 'payer', model: replies(approved, 'ok'), tools: { pay } }),
  ])
  const turn = ask('Pay')
  const [call] = only(await eventsOf(turn), 'tool_call')
  const { run, waits } = await turn.result
  expect(waits[0]?.arguments).toBe(call?.arguments)
  await resume(run, { approved: true }).result
  expect(paid).toEqual([2])
})
