import { expect, test } from 'vitest'
import { z } from 'zod'
import { EMPTY_RUN_TREE, CallerView, foldRunTree } from '../activity/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import { ann, claims, payer } from './approvals.fixture.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'
import type { ToolContext } from './define/tool.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

test('a call that another role approves does not keep its page waiting', async () => {
  const log = memoryLog()
  const { runs, gate } = withAgents([payer()], { domain: claims, log })
  const asked = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  expect(asked).toMatchObject({ reason: 'success', text: 'It waits.', state: { paid: 0 } })
  expect(await runs.start('t', { agent: 'payer', input: 'hello' }).result).toMatchObject({
    text: 'You said hello',
  })

  const { approvals } = (await gate.snapshot('t')).pauses
  expect(approvals).toMatchObject([
    {
      agent: 'payer',
      wait: {
        by: ['handler', 'chief'],
        toolName: 'pay',
        arguments: '{"pounds":50}',
        approval: { question: 'Pay £50?' },
        asker: { actor: 'ann', role: 'holder' },
      },
    },
  ])

  const run = approvals[0]?.wait.run ?? ''
  const values = { approved: true }
  const answer = { run, values, actor: 'harry', role: 'handler', requestContext: { desk: 7 } }
  const done = await runs.resume('t', answer).result
  const who = {
    actor: 'ann',
    role: 'holder',
    context: { desk: 7 },
    approvedBy: { role: 'handler', actor: 'harry' },
  }
  expect(done).toMatchObject({ reason: 'success', state: { paid: 50 } })
  expect(done.text).toContain(`£50 paid, ${JSON.stringify(who)}`)
  expect((await gate.snapshot('t')).pauses.approvals).toEqual([])
  await expect(runs.resume('t', answer).result).rejects.toMatchObject({ code: 'not_waiting' })
  await expectWhole(log)
})

test('the approver is on the record of the answer and of what the tool proposes', async () => {
  const { runs, records } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  await runs.resume('t', { run, values: { approved: true }, actor: 'harry', role: 'chief' }).result
  const all = await records()
  expect(all.find(({ type }) => type === 'paid')?.origin.approvedBy).toEqual({
    role: 'chief',
    actor: 'harry',
  })
  expect(all.findLast(({ type }) => type === 'RUN_STARTED')).toMatchObject({
    origin: { actor: 'harry' },
    data: { metadata: { throughline: { answeredAs: 'chief' } } },
  })
})

test('a guard can refuse that one person asks and approves', async () => {
  const { runs } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  const answer = { run, values: { approved: true }, actor: 'ann', role: 'handler' }
  const { text, state } = await runs.resume('t', answer).result
  expect(text).toContain('payer and approver are one person')
  expect(state.paid).toBe(0)
})

test.each([
  [{ actor: 'ann' }, { actor: 'ann' }],
  [{ actor: 'ann' }, {}],
  [{}, { actor: 'harry' }],
])('four eyes: asked by %j, %j may not decide, and the question stays', async (asker, answerer) => {
  const eyes = payer()
  const pay = { ...eyes.tools.get('pay'), needsApproval: { by: 'handler', fourEyes: true } }
  const tools = new Map([...eyes.tools, ['pay', pay as never]])
  const { runs, gate } = withAgents([{ ...eyes, tools }], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50', ...asker }).result
  const answer = { run, values: { approved: true }, role: 'handler', ...answerer }
  await expect(runs.resume('t', answer).result).rejects.toMatchObject({
    code: 'wrong_role',
    message:
      'Cannot decide about "pay": another person than the one who asked has to, and both have to be known by their actor',
  })
  expect((await gate.snapshot('t')).pauses.approvals).toHaveLength(1)
  if (!('actor' in asker)) return
  const second = await runs.resume('t', { ...answer, actor: 'harry' }).result
  expect(second.state.paid).toBe(50)
})

test('a call below the limit needs nobody, and nobody of another role may decide', async () => {
  const { runs } = withAgents([payer()], { domain: claims })
  expect((await runs.start('t', { agent: 'payer', input: 'pay 9' }).result).state.paid).toBe(9)
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const values = { approved: true }
  await expect(runs.resume('t', { run, values, role: 'holder' }).result).rejects.toMatchObject({
    code: 'wrong_role',
    message: '"holder" may not decide about "pay": only "handler", "chief" may',
  })
  await expect(runs.resume('t', { run, values: {} }).result).rejects.toMatchObject({
    code: 'invalid_values',
  })
  expect((await runs.resume('t', { run, values, role: 'operator' }).result).state.paid).toBe(59)
})

test('a refusal reaches the agent with its reason, and the tool does not run', async () => {
  const { runs } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const values = { approved: false, reason: 'not covered' }
  const { text, state } = await runs.resume('t', { run, values, role: 'chief' }).result
  expect(text).toContain('failed: A person did not agree to this call: not covered')
  expect(state.paid).toBe(0)
})

test('a call that was decided cannot ask its page, and leaves no question behind', async () => {
  const name = {
    inputSchema: z.object({}),
    execute: (_input: unknown, { ask }: ToolContext) =>
      ask(z.object({ name: z.string() }), { name: 'Your name?' }),
  }
  const agent = defineAgent<object>({
    name: 'clerk',
    tools: { name, sign: { ...name, needsApproval: { by: 'handler' } } },
    model: scriptedModel(({ messages }): ScriptedReply => {
      const last = messages.at(-1)
      if (last?.role === 'tool') return last.text
      const tool = last?.text.startsWith('[The call of sign') ? 'name' : 'sign'
      return { toolCalls: [{ name: tool, input: {} }] }
    }),
  })
  const { ask, resume, records, log } = withAgents([agent])
  const { run } = await ask('Sign').result
  const decided = await resume(run, { approved: true }).result
  expect(decided.waits).toMatchObject([{ toolName: 'name' }])
  const asked = (await records()).filter(({ data }) => JSON.stringify(data).includes('Your name?'))
  expect(asked.map(({ type }) => type)).toEqual(['CUSTOM', 'RUN_FINISHED'])
  expect((await resume(decided.run, { name: 'Ann' }).result).text).toContain('Ann')
  await expectWhole(log)
})

test('a question of the page stays open while another role decides', async () => {
  const { runs, gate, records } = withAgents([payer('holder')], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const asking = await runs.start('t', { agent: 'payer', input: 'name' }).result
  expect(asking.reason).toBe('interrupt')
  const decided = await runs.resume('t', { run, values: { approved: true } }).result
  expect(decided.state.paid).toBe(50)
  expect((await gate.snapshot('t')).pauses.waiting).toHaveLength(1)
  await runs.resume('t', { run: asking.run, values: { name: 'Ann' } }).result
  expect((await records()).findLast(({ type }) => type === 'TOOL_CALL_RESULT')?.data).toMatchObject(
    {
      content: '{"name":"Ann"}',
    },
  )
})

test('a cancelled approval takes no answer, and its agent reads of it', async () => {
  const { runs, gate, records } = withAgents([payer()], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  expect(await runs.cancel('t', { run, by: 'holder' })).toBe(true)
  expect((await gate.snapshot('t')).pauses.approvals).toEqual([])
  const answer = runs.resume('t', { run, values: { approved: true } })
  await expect(answer.result).rejects.toMatchObject({ code: 'not_waiting' })
  expect((await records()).findLast(({ type }) => type === 'TOOL_CALL_RESULT')?.data).toMatchObject(
    {
      metadata: { throughline: { error: 'cancelled', late: 'pay' } },
    },
  )
})

test('a sub-agent’s call is decided later too: its caller’s agent is told', async () => {
  const lead = defineAgent({
    name: 'lead',
    domain: claims,
    agents: [payer()],
    model: scriptedModel(({ messages }): ScriptedReply => {
      const last = messages.at(-1)?.text ?? ''
      if (last.startsWith('pay'))
        return { toolCalls: [{ name: 'call_payer', input: { message: last } }] }
      return last.startsWith('[The call') ? `Lead was told: ${last}` : last
    }),
  })
  const log = memoryLog()
  const { runs, gate, records } = withAgents([lead], { domain: claims, log })
  const asked = await runs.start('t', { agent: 'lead', input: 'pay 50' }).result
  expect(asked.text).toBe('It waits.')
  const { wait } = (await gate.snapshot('t')).pauses.approvals[0] ?? {}
  expect(wait).toMatchObject({ agent: 'payer', depth: 1 })
  const run = wait?.run ?? ''
  const { text, state } = await runs.resume('t', { run, values: { approved: true } }).result
  expect(state.paid).toBe(50)
  expect(text).toContain(
    'Lead was told: [The call of pay that waited for a decision gave: £50 paid',
  )
  await expectWhole(log)

  const view = new CallerView()
  const events = (await records()).flatMap((record) => view.take(record))
  const tree = foldRunTree(EMPTY_RUN_TREE, events)
  const [call] = tree.turns[0]?.runs[0]?.items.filter(({ kind }) => kind === 'tool') ?? []
  const below = call?.kind === 'tool' ? call.runs[0]?.items : []
  expect(below?.find(({ kind }) => kind === 'tool')).toMatchObject({
    name: 'pay',
    state: { status: 'done' },
  })
})

test('on its page a call is pending until it is decided', async () => {
  const { runs, records } = withAgents([payer()], { domain: claims })
  await runs.start('t', { agent: 'payer', input: 'pay 50' }).result
  const view = new CallerView()
  const tree = foldRunTree(
    EMPTY_RUN_TREE,
    (await records()).flatMap((record) => view.take(record)),
  )
  const [run] = tree.turns[0]?.runs ?? []
  expect(run?.state.status).toBe('done')
  expect(run?.items.find(({ kind }) => kind === 'tool')).toMatchObject({
    state: { status: 'pending', by: ['handler', 'chief'] },
  })
})

test.each([
  [{ by: [] }, 'names no role'],
  [{ by: '' }, 'names no role'],
  [{ by: 'handler', when: () => true }, 'has "when", which is none of by, if and fourEyes'],
  [{ by: 'handler', if: true }, 'has an "if" that is no function'],
  [{ by: 'handler', fourEyes: 1 }, 'has a "fourEyes" that is no boolean'],
  ['handler', 'is none of true, a function and { by, if?, fourEyes? }'],
])('an approval that cannot be asked for is refused where it is defined: %j', (rule, why) => {
  const define = () =>
    defineAgent({
      name: 'a',
      model: scriptedModel(() => 'x'),
      tools: { pay: { inputSchema: z.object({}), needsApproval: rule as never } },
    })
  expect(define).toThrow(`the needsApproval of its tool "pay" ${why}`)
})
