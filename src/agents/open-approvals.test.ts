import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import { claims, payer } from './approvals.fixture.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'
import { OPEN_APPROVALS_MAX } from './tools/open-approvals.ts'

test('two approvals of one run are decided each by its id, in any order', async () => {
  const twice = { ...payer(), model: payTwice() }
  const { runs, gate } = withAgents([twice], { domain: claims })
  const { run } = await runs.start('t', { agent: 'payer', input: 'both' }).result
  const [first, second] = (await gate.snapshot('t')).pauses.approvals.map(({ wait }) => wait.id)
  const values = (id = '', approved = true) => ({ run, values: { [id]: { approved } } })
  await expect(runs.resume('t', { run, values: { approved: true } }).result).rejects.toMatchObject({
    code: 'invalid_values',
  })
  expect((await runs.resume('t', values(second)).result).state.paid).toBe(60)
  expect((await runs.resume('t', values(first, false)).result).state.paid).toBe(60)
})

function payTwice() {
  return scriptedModel(({ messages }): ScriptedReply => {
    if (messages.at(-1)?.text !== 'both') return 'Done.'
    return { toolCalls: [50, 60].map((pounds) => ({ name: 'pay', input: { pounds } })) }
  })
}

test('the same call asks once, and a thread has a limit of open approvals', async () => {
  const { runs, gate } = withAgents([payer()], { domain: claims })
  const ask = (pounds: number) => runs.start('t', { agent: 'payer', input: `pay ${pounds}` }).result
  await ask(50)
  expect((await ask(50)).text).toBe('It waits.')
  expect((await gate.snapshot('t')).pauses.approvals).toHaveLength(1)
  for (let more = 1; more < OPEN_APPROVALS_MAX; more++) await ask(50 + more)
  expect((await ask(1_000)).text).toContain(`${OPEN_APPROVALS_MAX} calls of this thread wait`)
})

/** Calls `pay` once for each amount that it reads, all in one answer. */
function paysEach() {
  return scriptedModel(({ messages }): ScriptedReply => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return 'Done.'
    const amounts = (last?.text ?? '').split(' ').map(Number)
    const pays = (pounds: number, at: number) => ({
      name: 'pay',
      id: `call-${pounds}-${at}`,
      input: { pounds },
    })
    return { toolCalls: amounts.map(pays) }
  })
}

test('calls of one answer that ask at the same time keep to one question and to the limit', async () => {
  const agent = { ...payer(), model: paysEach() }
  const { runs, gate, log } = withAgents([agent], { domain: claims })
  const ask = (amounts: readonly number[]) =>
    runs.start('t', { agent: 'payer', input: amounts.join(' ') }).result
  const open = async () => (await gate.snapshot('t')).pauses.approvals
  await ask([50, 50, 50])
  expect(await open()).toHaveLength(1)
  for (const from of [100, 200]) await ask(Array.from({ length: 60 }, (_, n) => from + n))
  expect(await open()).toHaveLength(OPEN_APPROVALS_MAX)
  await expectWhole(log)
})

test('the same call of another agent is another question', async () => {
  const model = scriptedModel(({ messages }): ScriptedReply => {
    if (messages.at(-1)?.role === 'tool') return 'Done.'
    const input = { pounds: 50 }
    return {
      toolCalls: [
        { name: 'pay', input },
        { name: 'call_payer', input: { message: 'pay 50' } },
      ],
    }
  })
  const lead = { ...payer(), name: 'lead', model, agents: () => [payer()] }
  const { runs, gate } = withAgents([lead], { domain: claims })
  await runs.start('t', { agent: 'lead', input: 'both' }).result
  const { approvals } = (await gate.snapshot('t')).pauses
  expect(approvals.map(({ wait }) => wait.agent).toSorted()).toEqual(['lead', 'payer'])
})

test('a call that was cancelled while a turn works is asked for anew', async () => {
  const began = Promise.withResolvers<void>()
  const ends = Promise.withResolvers<void>()
  const hold = {
    inputSchema: z.object({}),
    execute: async () => {
      began.resolve()
      await ends.promise
      return 'held'
    },
  }
  const pay = { inputSchema: z.object({}), needsApproval: { by: 'handler' }, execute: () => 'paid' }
  const agent = defineAgent<object>({
    name: 'clerk',
    tools: { pay, hold },
    model: scriptedModel(({ messages }): ScriptedReply => {
      const said = messages.at(-1)?.text ?? ''
      const name = { pay: 'pay', hold: 'hold', held: 'pay' }[said]
      return name === undefined ? 'Done.' : { toolCalls: [{ name, input: {} }] }
    }),
  })
  const { runs, gate, log } = withAgents([agent])
  const { run } = await runs.start('t', { agent: 'clerk', input: 'pay' }).result
  const turn = runs.start('t', { agent: 'clerk', input: 'hold' })
  await began.promise
  await runs.cancel('t', { run })
  ends.resolve()
  await turn.result
  await runs.start('t', { agent: 'clerk', input: 'hello' }).result
  expect((await gate.snapshot('t')).pauses.approvals).toMatchObject([{ wait: { run: turn.run } }])
  await expectWhole(log)
})
