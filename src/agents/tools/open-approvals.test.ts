import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../../models/index.ts'
import type { ScriptedReply } from '../../models/index.ts'
import { defineAgent } from '../agent.ts'
import type { Agent } from '../agent.ts'
import { expectWhole, withAgents } from '../runs.fixture.ts'
import { OPEN_APPROVALS_MAX } from './open-approvals.ts'
import type { Tool, ToolContext } from './tool.ts'

const pay = {
  inputSchema: z.object({ pounds: z.number().default(5) }),
  needsApproval: { by: 'handler' },
  execute: () => 'paid',
}

/** Calls what `calls` gives for the last text. */
function clerk(
  calls: (said: string) => readonly { readonly name: string; readonly input?: object }[],
  { name = 'clerk', tools = {}, agents = [] as readonly Agent<object>[] } = {},
) {
  return defineAgent<object>({
    name,
    agents,
    tools: { pay, ...tools },
    model: scriptedModel(({ messages }): ScriptedReply => {
      const said = messages.at(-1)?.text ?? ''
      const toolCalls = calls(said).map(({ name: tool, input = {} }, at) => {
        return { name: tool, input, id: `${name}-${messages.length}-${at}` }
      })
      return toolCalls.length > 0 ? { toolCalls } : `Done: ${said}`
    }),
  })
}

test('calls of one answer that ask at the same time keep to one question and to the limit', async () => {
  const agent = clerk((said) =>
    /^[\d ]+$/.test(said)
      ? said.split(' ').map((pounds) => ({ name: 'pay', input: { pounds: Number(pounds) } }))
      : [],
  )
  const { ask, gate, log } = withAgents([agent])
  const open = async () => (await gate.snapshot('t')).pauses.approvals
  await ask('50 50 50').result
  expect(await open()).toHaveLength(1)
  for (const from of [100, 200]) {
    await ask(Array.from({ length: 60 }, (_, n) => from + n).join(' ')).result
  }
  expect(await open()).toHaveLength(OPEN_APPROVALS_MAX)
  await expectWhole(log)
})

test('the same call of another agent is another question', async () => {
  const below = clerk((said) => (said === 'pay' ? [{ name: 'pay' }] : []), { name: 'below' })
  const calls = [{ name: 'pay' }, { name: 'call_below', input: { message: 'pay' } }]
  const lead = clerk((said) => (said === 'both' ? calls : []), { agents: [below] })
  const { ask, gate } = withAgents([lead])
  await ask('both').result
  const { approvals } = (await gate.snapshot('t')).pauses
  expect(approvals.map(({ wait }) => wait.agent).toSorted()).toEqual(['below', 'clerk'])
})

test('a call that was cancelled while a turn works is asked for anew', async () => {
  const began = Promise.withResolvers<void>()
  const ends = Promise.withResolvers<void>()
  const hold: Tool = {
    inputSchema: z.object({}),
    execute: async () => {
      began.resolve()
      await ends.promise
      return 'held'
    },
  }
  const tools: Readonly<Record<string, string>> = { pay: 'pay', hold: 'hold', held: 'pay' }
  const agent = clerk((said) => (tools[said] ? [{ name: tools[said] }] : []), { tools: { hold } })
  const { ask, runs, gate, log } = withAgents([agent])
  const { run } = await ask('pay').result
  const turn = ask('hold')
  await began.promise
  await runs.cancel('t', { run })
  ends.resolve()
  await turn.result
  await ask('hello').result
  expect((await gate.snapshot('t')).pauses.approvals).toMatchObject([{ wait: { run: turn.run } }])
  await expectWhole(log)
})

test('a call that was decided cannot ask its page, and leaves no question behind', async () => {
  const name = {
    inputSchema: z.object({}),
    execute: (_input: unknown, { ask }: ToolContext) =>
      ask(z.object({ name: z.string() }), { name: 'Your name?' }),
  }
  const tools = { name, sign: { ...name, needsApproval: { by: 'handler' } } }
  const agent = clerk(
    (said) => {
      if (said === 'Sign') return [{ name: 'sign' }]
      return said.startsWith('[The call of sign') ? [{ name: 'name' }] : []
    },
    { tools },
  )
  const { ask, resume, records, log } = withAgents([agent])
  const { run } = await ask('Sign').result
  const decided = await resume(run, { approved: true }).result
  expect(decided.waits).toMatchObject([{ toolName: 'name' }])
  const asked = (await records()).filter(({ data }) => JSON.stringify(data).includes('Your name?'))
  expect(asked.map(({ type }) => type)).toEqual(['CUSTOM', 'RUN_FINISHED'])
  expect((await resume(decided.run, { name: 'Ann' }).result).text).toContain('Ann')
  await expectWhole(log)
})
