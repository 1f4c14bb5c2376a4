import { expect, test } from 'vitest'
import { scriptedModel } from '../../models/index.ts'
import { defineAgent } from '../define/agent.ts'
import { APPROVAL_LINES_MAX, APPROVAL_TEXT_CHARS_MAX } from './approval.ts'
import type { ApprovalText } from '../../activity/index.ts'
import type { Json } from '../../json/index.ts'
import type { Tool } from '../define/tool.ts'
import { below, till, user } from '../pause.fixture.ts'
import { calling, eventsOf, expectWhole, only, replies, withAgents } from '../runs.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

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
  // A child that waits pauses all its parents; each of them records it.
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
  // Every model call records its usage, also those after the answer.
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

test('after a refusal the tool never runs, and the model reads the person’s reason', async () => {
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

test.each([[true], [{ by: 'handler' }]] as const)(
  'a call that a person refused never runs, though its tool lost its needsApproval: %j',
  async (needsApproval) => {
    const log = memoryLog()
    const open = (rule: Tool['needsApproval']) => {
      const { paid, pay } = till()
      const tools = { pay: { ...pay, needsApproval: rule } }
      const model = scriptedModel(({ messages }) =>
        messages.at(-1)?.text === 'Pay' ? calling(['pay', { amount: 5 }]) : 'Done.',
      )
      return { paid, ...withAgents([defineAgent({ name: 'payer', model, tools })], { log }) }
    }
    const { run } = await open(needsApproval).ask('Pay').result
    const { paid, resume, records } = open(undefined)
    await resume(run, { approved: false }).result
    expect(paid).toEqual([])
    const results = (await records()).filter(({ type }) => type === 'TOOL_CALL_RESULT')
    expect(JSON.stringify(results.at(-1)?.data)).toContain('A person did not agree')
    await expectWhole(log)
  },
)

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
  ['is of another kind', { approved: 'yes' }, '"approved" must be true or false, and is a string'],
  ['has another name', { approved: true, password: 'x' }, 'no question asks for "password"'],
  ['is a name that every object has', { constructor: true }, 'no question asks for "constructor"'],
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

test('the tool runs with the input on record that a person agreed to, not with one that differs from it', async () => {
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

const worded = (approval: Tool['approval']) => {
  const { paid, pay } = till()
  return {
    paid,
    agents: [user('payer', ['pay', { ...pay, ...(approval && { approval }) }], { amount: 5 })],
  }
}

test('[surfaces 60] what a tool says of its call is recorded with the question and reaches every reader of it', async () => {
  const text: ApprovalText = {
    question: 'Pay £5.00?',
    accept: 'Pay £5.00',
    note: 'Nothing is paid until you agree.',
    facts: [{ label: 'Order', value: '4711, reading lamp' }],
    reasons: ['Above £1.00 a person must agree'],
  }
  const { paid, agents } = worded(() => text)
  const { ask, resume, records: recorded, log } = withAgents(agents)
  const asked = await ask('Pay').result
  expect(asked).toMatchObject({
    waits: [{ requestKeys: { approved: 'Pay £5.00?' }, approval: text, arguments: '{"amount":5}' }],
  })
  const records = await recorded()
  const ended = records.find(({ type }) => type === 'RUN_FINISHED')
  expect(ended?.data).toMatchObject({
    outcome: {
      interrupts: [{ message: 'Pay £5.00?', metadata: { throughline: { approval: text } } }],
    },
  })
  expect(await resume(asked.run, { approved: true }).result).toMatchObject({ reason: 'success' })
  expect(paid).toEqual([5])
  await expectWhole(log)
})

test.each([
  [
    'throws',
    () => {
      throw new Error('no such order')
    },
    'no such order',
  ],
  [
    'returns a promise',
    () => Promise.resolve({ question: 'Pay?' }) as unknown as { question: string },
    'its `approval` returned a promise; return { question }',
  ],
  ['says nothing', () => ({ question: '' }), 'Cannot ask for approval of "pay"'],
  ['says too much', () => ({ question: 'p'.repeat(APPROVAL_TEXT_CHARS_MAX + 1) }), '1 to 500'],
  [
    'has too many facts',
    () => ({
      question: 'Pay?',
      facts: Array.from({ length: APPROVAL_LINES_MAX + 1 }, () => ({ label: 'a', value: 'b' })),
    }),
    'facts',
  ],
] as const)(
  'a tool whose approval %s is not run, and the model reads why',
  async (_, approval, why) => {
    const { paid, agents } = worded(approval)
    const { ask, log } = withAgents(agents)
    expect((await ask('Pay').result).text).toContain(why)
    expect(paid).toEqual([])
    await expectWhole(log)
  },
)
