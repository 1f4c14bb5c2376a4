import { expect, test } from 'vitest'
import { z } from 'zod'
import { membersOf, textOf } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { approvedPay, caller, locate } from './client.fixture.ts'
import { askName, user } from './pause.fixture.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'

const agent = 'guide'
const message = (id: string, text = `Text of ${id}`) => ({ id, text })

function startsOf(records: readonly LogRecord[]): readonly LogRecord[] {
  return records.filter(({ type }) => type === 'RUN_STARTED')
}

test('an approval is answered by its interrupt’s id, once, and the same answers find the same turn', async () => {
  const { paid, pay } = approvedPay()
  const { runs, records, log } = withAgents([caller([['pay', { amount: 5 }]], { tools: { pay } })])
  const asked = await runs.start('t', { agent, input: 'Pay', wire: { runId: 'r1' } }).result
  const [interruptId = ''] = asked.waits.map(({ id }) => id)
  const payload = { approved: true }
  const answers = [{ interruptId, status: 'resolved' as const, payload }]
  // CopilotKit answers under the id of the interrupted run.
  const request = { agent, answers, wire: { runId: 'r1' }, actor: 'ada' }
  const first = runs.answer('t', request)
  const twin = runs.answer('t', request)
  expect((await first.result).text).toBe('Got paid 5')
  expect(await twin.result).toEqual(await first.result)
  const later = runs.answer('t', { ...request, wire: { runId: 'r9' } })
  expect(later.run).toBe(first.run)
  expect(await later.result).toEqual(await first.result)
  expect(paid).toEqual([5])
  const [, resumed] = startsOf(await records())
  expect(resumed).toMatchObject({
    data: {
      input: { resume: [{ interruptId, status: 'resolved', payload }] },
      wire: { runId: 'r1', messages: [] },
    },
    origin: { source: 'ui', actor: 'ada' },
  })
  expect(await runs.turnOfWire('t', 'r1')).toMatchObject({ turn: asked.run })
  expect(await runs.turnOfAnswers('t', request)).toMatchObject({ turn: first.run })
  const no = [{ interruptId, status: 'cancelled' as const }]
  await expect(runs.answer('t', { agent, answers: no }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
  await expectWhole(log)
})

test('a turn that answers resumed is found by the client’s run id too', async () => {
  const { runs } = withAgents([caller([['locate']])])
  await runs.start('t', { agent, input: 'Go', tools: [locate], wire: { runId: 'r1' } }).result
  const results = [{ toolCallId: 'call-1', content: 'Paris' }]
  const turn = runs.answer('t', { agent, results, tools: [locate], wire: { runId: 'r2' } })
  await turn.result
  expect(await runs.turnOfWire('t', 'r2')).toMatchObject({ turn: turn.run })
  await expect(
    runs.start('t', { agent, input: 'Go', wire: { runId: 'r2' } }).result,
  ).rejects.toMatchObject({ code: 'key_reused' })
})

test('[S15] a cancelled answer declines an approval, and the model reads that a question was declined', async () => {
  const { paid, pay } = approvedPay()
  const cases = [
    [caller([['pay', { amount: 5 }]], { tools: { pay } }), 'A person did not agree to this call'],
    [user(agent, ['ask', askName]), 'A person declined to answer'],
  ] as const
  for (const [guide, told] of cases) {
    const { runs, records, log } = withAgents([guide])
    const { waits } = await runs.start('t', { agent, input: 'Go' }).result
    const [interruptId = ''] = waits.map(({ id }) => id)
    const answers = [{ interruptId, status: 'cancelled' as const, payload: { approved: true } }]
    const { reason, text } = await runs.answer('t', { agent, answers }).result
    expect(reason).toBe('success')
    expect(text).toContain(told)
    const [, resumed] = startsOf(await records())
    const input = membersOf(resumed?.data ?? null)['input']
    expect(input).toMatchObject({ resume: [{ interruptId, status: 'cancelled' }] })
    expect(JSON.stringify(input)).not.toContain('payload')
    await expectWhole(log)
  }
  expect(paid).toEqual([])
})

test('answers to some of the questions run their tools; the rest is asked again under its id', async () => {
  const { paid, pay } = approvedPay()
  let needed = 0
  const asks = {
    inputSchema: z.object({}),
    needsApproval: () => ++needed > 0,
    execute: () => 'asked',
  }
  const guide = caller([['pay', { amount: 1 }], ['asks']], { tools: { pay, asks } })
  const { runs, log } = withAgents([guide])
  const { waits } = await runs.start('t', { agent, input: 'Go' }).result
  const [one, two] = waits.map(({ id }) => id)
  const yes = (interruptId = '') => [
    { interruptId, status: 'resolved' as const, payload: { approved: true } },
    { interruptId: 'unknown', status: 'resolved' as const, payload: { approved: true } },
  ]
  const partly = await runs.answer('t', { agent, answers: yes(one) }).result
  expect(partly).toMatchObject({ reason: 'interrupt', waits: [{ id: two }] })
  expect([paid, needed]).toEqual([[1], 1])
  const done = await runs.answer('t', { agent, answers: yes(two) }).result
  expect(done).toMatchObject({ reason: 'success', text: 'Got paid 1, asked' })
  expect([paid, needed]).toEqual([[1], 1])
  await expectWhole(log)
})

test('a payload that does not answer the question is refused, and the question stays open', async () => {
  const { pay } = approvedPay()
  const { runs } = withAgents([caller([['pay', { amount: 5 }]], { tools: { pay } })])
  const { waits } = await runs.start('t', { agent, input: 'Pay' }).result
  const [interruptId = ''] = waits.map(({ id }) => id)
  for (const payload of [undefined, 'yes', { approved: 'yes' }, {}]) {
    const given = payload === undefined ? {} : { payload }
    const answers = [{ interruptId, status: 'resolved' as const, ...given }]
    await expect(runs.answer('t', { agent, answers }).result).rejects.toMatchObject({
      code: 'invalid_values',
    })
  }
  expect(await runs.waiting('t', { agent })).toMatchObject({ waits: [{ id: interruptId }] })
})

test('a result for a call that waits for approval is left out', async () => {
  const { paid, pay } = approvedPay()
  const { runs } = withAgents([caller([['pay', { amount: 5 }]], { tools: { pay } })])
  const { waits } = await runs.start('t', { agent, input: 'Pay' }).result
  const [wait] = waits
  const results = [{ toolCallId: wait?.toolCallId ?? '', content: 'paid' }]
  await expect(runs.answer('t', { agent, results }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
  const yes = { status: 'resolved' as const, payload: { approved: true } }
  const answers = [{ interruptId: wait?.id ?? '', ...yes }]
  expect((await runs.answer('t', { agent, answers, results }).result).text).toBe('Got paid 5')
  expect(paid).toEqual([5])
})

test('a message beside some results drops the other pending calls, and the model answers both', async () => {
  const { runs, records, log } = withAgents([caller([['locate', { precise: true }], ['locate']])])
  await runs.start('t', { agent, input: 'Go', tools: [locate] }).result
  const results = [{ toolCallId: 'call-1', content: 'Paris' }]
  const request = { agent, results, messages: [message('m2', 'And?')], tools: [locate] }
  await runs.answer('t', request).result
  const outcomes = (await records()).filter(({ type }) => type === 'TOOL_CALL_RESULT')
  expect(outcomes).toMatchObject([
    { data: { toolCallId: 'call-1', content: 'Paris' } },
    { data: { toolCallId: 'call-2', metadata: { throughline: { error: 'given_up' } } } },
  ])
  await expectWhole(log)
})

test('a wait that was cancelled takes no answer', async () => {
  const { runs } = withAgents([caller([['locate']])])
  const { run } = await runs.start('t', { agent, input: 'Go', tools: [locate] }).result
  expect(await runs.cancel('t', { run })).toBe(true)
  const results = [{ toolCallId: 'call-1', content: 'Paris' }]
  await expect(runs.answer('t', { agent, results }).result).rejects.toMatchObject({
    code: 'not_waiting',
  })
})

test('two results under one message id are refused, and one under a known id gets an id of its own', async () => {
  const { runs, records, log } = withAgents([caller([['locate', { precise: true }], ['locate']])])
  const messages = [message('m1')]
  await runs.start('t', { agent, messages, tools: [locate] }).result
  const given = (call: string, messageId: string) => ({
    toolCallId: call,
    content: call,
    messageId,
  })
  for (const request of [
    { results: [given('call-1', 'x'), given('call-2', 'x')] },
    { results: [given('call-1', 'x')], messages: [message('x')] },
  ]) {
    await expect(runs.answer('t', { agent, ...request }).result).rejects.toMatchObject({
      code: 'invalid_request',
    })
  }
  const results = [given('call-1', 'm1'), given('call-2', 'x')]
  await runs.answer('t', { agent, results, tools: [locate] }).result
  const [first, second] = (await records()).filter(({ type }) => type === 'TOOL_CALL_RESULT')
  expect(textOf(first?.data ?? null, 'messageId')).not.toBe('m1')
  expect(second?.data).toMatchObject({ messageId: 'x' })
  expect(await runs.knownMessages('t', ['x'])).toEqual(new Set(['x']))
  await expectWhole(log)
})

test('an approval runs the call that its interrupt names, with the arguments that were shown', async () => {
  const { paid, pay } = approvedPay()
  const calls = [
    ['pay', { amount: 1 }],
    ['pay', { amount: 2 }],
  ] as const
  const { runs } = withAgents([caller(calls, { tools: { pay } })])
  const { waits } = await runs.start('t', { agent, input: 'Pay' }).result
  const shown = waits.find((wait) => wait.arguments === '{"amount":2}')
  const yes = { status: 'resolved' as const, payload: { approved: true } }
  const answers = [{ interruptId: shown?.id ?? '', ...yes }]
  const { waits: rest } = await runs.answer('t', { agent, answers }).result
  expect(paid).toEqual([2])
  expect(rest).toMatchObject([{ arguments: '{"amount":1}' }])
})

test('a message beside an incomplete list of answers is recorded, and the rest is asked again', async () => {
  const { paid, pay } = approvedPay()
  const calls = [['pay', { amount: 1 }], ['pay', { amount: 2 }], ['locate']] as const
  const { runs, log } = withAgents([caller(calls, { tools: { pay } })])
  const { waits } = await runs.start('t', { agent, input: 'Pay', tools: [locate] }).result
  const approvals = waits.filter(({ reason }) => reason === 'tool_approval')
  const answers = approvals
    .slice(0, 1)
    .map(({ id }) => ({ interruptId: id, status: 'cancelled' as const }))
  const request = { agent, answers, messages: [message('m1')] }
  const { waits: rest, reason } = await runs.answer('t', request).result
  expect([reason, paid]).toEqual(['interrupt', []])
  expect(rest.map(({ id }) => id)).toEqual([approvals[1]?.id])
  expect(await runs.knownMessages('t', ['m1'])).toEqual(new Set(['m1']))
  await expectWhole(log)
})
