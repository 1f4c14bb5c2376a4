import { expect, test } from 'vitest'
import { z } from 'zod'
import { TOOL_OUTPUTS_MAX, tool } from '../define/tool.ts'
import { defineAgent } from '../define/agent.ts'
import { scriptedModel } from '../../models/index.ts'
import type { Tool } from '../define/tool.ts'
import type { ModelMessage } from '../../models/index.ts'
import { calling, eventsOf, expectWhole, only, replies, withAgents } from '../runs.fixture.ts'

/** Calls one tool and keeps its model's prompts. */
function using(name: string, given: Tool, input: unknown = {}) {
  const told: (readonly ModelMessage[])[] = []
  const model = replies(calling([name, input]), ({ messages }) => {
    told.push(messages)
    return 'ok'
  })
  return { ...withAgents([defineAgent({ name: 'A', model, tools: { [name]: given } })]), told }
}

const any = z.object({})
const silent = () => {
  throw new Error('not read')
}

test.each([
  ['throws', () => Promise.reject(new Error('no paper')), 'no paper'],
  [
    'throws at once',
    () => {
      throw new Error('no ink')
    },
    'no ink',
  ],
  ['throws a value that is no error', () => Promise.reject('plain'), 'plain'],
  ['throws an object', () => Promise.reject({ message: 'no toner' }), 'no toner'],
  [
    'throws a proxy that says nothing',
    () => Promise.reject(new Proxy({}, { getPrototypeOf: silent, get: silent })),
    'has no text',
  ],
  [
    'fails in the middle',
    async function* () {
      yield 'half'
      throw new Error('torn')
    },
    'torn',
  ],
])('a tool that %s is a result that the model reads', async (_name, execute, why) => {
  const { ask, told, log } = using('print', tool({ inputSchema: any, execute }))
  const turn = ask('Go')
  const [error] = only(await eventsOf(turn), 'tool_error')
  expect(error).toMatchObject({ name: 'print', code: 'tool_failed' })
  expect(error?.error).toContain(why)
  expect(told[0]?.at(-1)).toMatchObject({ role: 'tool', failed: true })
  expect(await turn.result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})

test.each([
  ['does not fit the schema', { amount: 'five' }, 'invalid_input'],
  ['is no JSON', '{"amount":', 'invalid_input'],
  ['is JSON but no object', '5', 'invalid_input'],
])('input that %s never reaches the tool', async (_name, input, code) => {
  let ran = false
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    execute: () => {
      ran = true
    },
  })
  const { ask, told, log } = using('pay', pay, input)
  const [error] = only(await eventsOf(ask('Go')), 'tool_error')
  expect(error).toMatchObject({ name: 'pay', code })
  expect(told[0]?.at(-1)).toMatchObject({ role: 'tool', failed: true })
  expect(ran).toBe(false)
  await expectWhole(log)
})

test('a call of an unknown tool is an error that the model reads, not the end', async () => {
  const agent = defineAgent({ name: 'A', model: replies(calling(['nothing']), 'I see') })
  const { ask, log } = withAgents([agent])
  const turn = ask('Go')
  expect(only(await eventsOf(turn), 'tool_error')).toMatchObject([
    { name: 'nothing', code: 'unknown_tool' },
  ])
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'I see' })
  await expectWhole(log)
})

test('a sub-agent that is called without a message is not called', async () => {
  const b = defineAgent({ name: 'B', model: scriptedModel(() => 'x') })
  const a = defineAgent({
    name: 'A',
    model: replies(calling(['call_b', { text: 'no message' }]), 'ok'),
    agents: [b],
  })
  const events = await eventsOf(withAgents([a]).ask('Go'))
  expect(events.some(({ agent }) => agent === 'B')).toBe(false)
  expect(only(events, 'tool_error')).toMatchObject([{ code: 'invalid_input' }])
})

test('tools of one step run at once', async () => {
  let here = 0
  const both = Promise.withResolvers<void>()
  const meet = tool({
    inputSchema: z.object({ at: z.number() }),
    execute: async () => {
      if (++here === 2) both.resolve()
      await both.promise
      return 'met'
    },
  })
  const agent = defineAgent({
    name: 'A',
    model: replies(calling(['meet', { at: 1 }], ['meet', { at: 2 }]), 'ok'),
    tools: { meet },
  })
  expect(await withAgents([agent]).ask('Go').result).toMatchObject({ text: 'ok' })
})

test('a tool has its input as its schema made it, and knows where it runs', async () => {
  const seen: unknown[] = []
  const when = tool({
    inputSchema: z.object({
      day: z
        .string()
        .transform((day) => Number(day))
        .default(3),
    }),
    execute: (input, { thread, run, agent, depth, toolCallId, values }) => {
      seen.push([input, { thread, run, agent, depth, toolCallId, values }])
    },
  })
  const { ask } = using('when', when, { day: '7' })
  const turn = ask('Go')
  await turn.result
  expect(seen).toEqual([
    [
      { day: 7 },
      {
        thread: 't',
        run: turn.run,
        agent: 'A',
        depth: 0,
        toolCallId: 'call-1',
        values: undefined,
      },
    ],
  ])
})

test('a chatty tool is cut short, not the run', async () => {
  const chatty = tool({
    inputSchema: any,
    execute: (_input, { progress }) => {
      for (let n = 0; n < TOOL_OUTPUTS_MAX + 10; n++) progress(`line ${n}`)
      return 'done'
    },
  })
  const { ask, log } = using('chatty', chatty)
  const events = await eventsOf(ask('Go'))
  expect(only(events, 'tool_output')).toHaveLength(TOOL_OUTPUTS_MAX)
  await expectWhole(log)
})

test('what a tool shows on the way may be larger than a record: it is cut, not the run', async () => {
  const wordy = tool({
    inputSchema: any,
    async *execute(_input, { progress }) {
      progress('x'.repeat(2_000_000))
      yield { page: 'y'.repeat(2_000_000) }
      yield 'short'
    },
  })
  const { ask, log } = using('wordy', wordy)
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(await turn.result).toMatchObject({ reason: 'success' })
  expect(only(events, 'tool_output')).toHaveLength(3)
  expect(only(events, 'tool_result')).toMatchObject([{ result: 'short' }])
  await expectWhole(log)
})

test('a tool that logs after it has answered is not heard', async () => {
  const answered = Promise.withResolvers<void>()
  let late: (() => void) | undefined
  const hasty = tool({
    inputSchema: any,
    execute: (_input, { progress }) => {
      late = () => progress('late')
      return 'done'
    },
  })
  const { ask, log } = using('hasty', hasty)
  for await (const { type } of ask('Go')) if (type === 'turn_end') answered.resolve()
  late?.()
  await new Promise(setImmediate)
  await expectWhole(log)
})

test('the same call id at every step, as users’ mocks give it, is a new call each time', async () => {
  const values: string[] = []
  const note = tool({
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => {
      values.push(String(n))
      return `noted ${n}`
    },
  })
  const inner = defineAgent({
    name: 'inner',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'inner done' : calling(['note', { n: 9 }]),
    ),
    tools: { note },
  })
  const agent = defineAgent({
    name: 'A',
    model: scriptedModel(({ index }) =>
      index % 3 === 2
        ? 'ok'
        : index % 3 === 1
          ? calling(['call_inner', { message: 'x' }])
          : calling(['note', { n: index }]),
    ),
    tools: { note },
    agents: [inner],
  })
  const { ask, runs, log } = withAgents([agent])
  for (const [n, prompt] of ['1', '2', '3'].entries()) {
    expect(await ask(prompt).result).toMatchObject({ reason: 'success', text: 'ok' })
    if (n === 1) await runs.resetHistory('t')
  }
  expect(values).toEqual(['0', '9', '3', '9', '6', '9'])
  await expectWhole(log)
})

test('needsApproval that fails or gives no answer lets nothing through', async () => {
  for (const needsApproval of [
    () => {
      throw new Error('who knows')
    },
    // An untyped program may pass this.
    () => 'yes' as unknown as boolean,
  ]) {
    let ran = false
    const risky = tool({
      inputSchema: any,
      needsApproval,
      execute: () => {
        ran = true
      },
    })
    const { ask, log } = using('risky', risky)
    await ask('Go').result
    expect(ran).toBe(false)
    await expectWhole(log)
  }
})
