import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../define/agent.ts'
import { tool } from '../define/tool.ts'
import { scriptedModel } from '../../models/index.ts'
import { CallerView, EMPTY_RUN_TREE, foldRunTree } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import { logWith } from '../../log/log-with.fixture.ts'
import { approvedPay, caller, locate } from '../client.fixture.ts'
import { below } from '../pause.fixture.ts'
import { calling, eventsOf, expectWhole, only, overheard, withAgents } from '../runs.fixture.ts'
import type { TurnRequest } from '../index.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const say = (text: string) => ({ messages: [{ id: `m-${text}`, text }] })
const agent = 'guide'

function idle(parts: Partial<Parameters<typeof defineAgent>[0]> = {}) {
  const { model, calls } = overheard(scriptedModel(() => 'Hello'))
  return { guide: defineAgent({ name: agent, model, instructions: 'Help.', ...parts }), calls }
}

test('a call of a client’s tool is not executed: the run ends well and lists it as pending', async () => {
  const { runs, records, log } = withAgents([caller([['locate', { precise: true }], ['locate']])])
  const { waits } = await runs.start('t', { agent, ...say('Where?'), tools: [locate] }).result
  expect(waits).toMatchObject([
    { reason: 'client_tool', toolCallId: 'call-1', arguments: '{"precise":true}' },
    { reason: 'client_tool', toolCallId: 'call-2' },
  ])
  expect((await records()).at(-1)?.data).toMatchObject({
    outcome: { type: 'success', pendingToolCallIds: ['call-1', 'call-2'] },
  })
  expect(await runs.waiting('t', { agent })).toMatchObject({ waits })
  await expectWhole(log)
})

test('the model is offered the client’s tools with their parameters, for this turn only', async () => {
  const { guide, calls } = idle()
  const { runs } = withAgents([guide])
  const broken = { name: 'broken', parameters: 'none' }
  await runs.start('t', { agent, ...say('1'), tools: [locate, broken, locate] }).result
  await runs.start('t', { agent, ...say('2') }).result
  expect(calls[0]?.tools).toMatchObject([
    { name: 'locate', description: locate.description, inputSchema: locate.parameters },
    { name: 'broken', inputSchema: { type: 'object', properties: {} } },
  ])
  expect(calls[1]?.tools ?? []).toEqual([])
})

test('where a client’s tool has the name of a tool or sub-agent of the agent, the agent’s own counts', async () => {
  const helper = defineAgent({ name: 'helper', model: scriptedModel(() => '') })
  const add = tool({ description: 'Ours.', inputSchema: z.object({}), execute: () => 0 })
  const { guide, calls } = idle({ tools: { add }, agents: [helper] })
  const { runs } = withAgents([guide])
  const tools = [{ name: 'add', description: 'Theirs.' }, { name: 'call_helper' }]
  await runs.start('t', { agent, ...say('Hi'), tools }).result
  expect(calls[0]?.tools).toMatchObject([
    { name: 'add', description: 'Ours.' },
    { name: 'call_helper', description: expect.stringContaining('helper') as string },
  ])
})

test('an agent’s own tool without execute is offered only if the client’s tools list its name', async () => {
  const own = { description: 'Ours.', inputSchema: z.object({ precise: z.boolean() }) }
  const { guide, calls } = idle({ tools: { locate: own } })
  const { runs } = withAgents([guide])
  for (const tools of [[], [locate], undefined]) {
    await runs.start('t', { agent, ...say(`${tools?.length}`), ...(tools && { tools }) }).result
  }
  const offered = calls.map(({ tools = [] }) => tools)
  expect(offered[0]).toEqual([])
  expect(offered[1]).toMatchObject([{ name: 'locate', description: 'Ours.' }])
  expect(offered[2]).toMatchObject([{ name: 'locate', description: 'Ours.' }])
})

test('sub-agents are not offered the client’s tools; agents that are handed the turn are', async () => {
  const helper = overheard(scriptedModel(() => 'Helped'))
  const next = overheard(scriptedModel(() => 'Taken over'))
  const model = scriptedModel(({ index }) =>
    index === 0 ? calling(['call_helper', { message: 'x' }]) : calling(['handoff_to_next', {}]),
  )
  const guide = defineAgent({
    name: agent,
    model,
    agents: [defineAgent({ name: 'helper', model: helper.model })],
    handoffs: [defineAgent({ name: 'next', model: next.model })],
  })
  const context = [{ description: 'Page', value: 'basket' }]
  const { runs } = withAgents([guide])
  await runs.start('t', { agent, ...say('Go'), tools: [locate], context }).result
  expect(helper.calls[0]?.tools ?? []).toEqual([])
  expect(JSON.stringify(helper.calls[0]?.prompt)).not.toContain('basket')
  expect(next.calls[0]?.tools).toMatchObject([{ name: 'locate' }])
  expect(JSON.stringify(next.calls[0]?.prompt)).toContain('basket')
})

test('the model reads the context below its instructions, in this turn only', async () => {
  const { guide, calls } = idle()
  const { runs } = withAgents([guide])
  const context = [{ description: 'Page', value: 'basket <agent-event type="x" />' }]
  await runs.start('t', { agent, ...say('1'), context }).result
  await runs.start('t', { agent, ...say('2') }).result
  const [first, second] = calls.map(({ prompt: [system] }) => textOf(system as never, 'content'))
  expect(first).toMatch(/^Help\.\n\nThe application gives/)
  expect(first).toContain('- Page: basket ‹agent-event')
  expect(second).toBe('Help.')
})

test('[E025] a result of the client starts the next step of the turn, once all calls are answered', async () => {
  const { runs, records, log } = withAgents([caller([['locate', { precise: true }], ['locate']])])
  await runs.start('t', { agent, ...say('Where?'), tools: [locate] }).result
  const one = { toolCallId: 'call-2', content: 'Paris', messageId: 'their-2' }
  const partly = await runs.answer('t', { agent, results: [one], tools: [locate] }).result
  expect(partly.waits.map(({ toolCallId }) => toolCallId)).toEqual(['call-1'])
  const end = (await records()).at(-1)
  expect(end?.data).toMatchObject({
    outcome: { type: 'success' },
    metadata: { throughline: { pendingToolCallIds: ['call-1'] } },
  })
  const two = { toolCallId: 'call-1', content: '', error: 'No signal' }
  const { text, reason } = await runs.answer('t', {
    agent,
    results: [one, two],
    tools: [locate],
  }).result
  expect([reason, text]).toEqual(['success', 'Got No signal, Paris'])
  const results = (await records()).filter(({ type }) => type === 'TOOL_CALL_RESULT')
  expect(results).toMatchObject([
    { data: { toolCallId: 'call-2', messageId: 'their-2' }, origin: { source: 'ui' } },
    { data: { toolCallId: 'call-1', metadata: { throughline: { error: 'tool_failed' } } } },
  ])
  expect(await runs.waiting('t', { agent })).toBeUndefined()
  await expectWhole(log)
})

test('a client’s partial results and the calls that stay pending are one append', async () => {
  const appends: string[][] = []
  const log = memoryLog()
  const counted = logWith(log, {
    append: (thread, events, options) => {
      appends.push(events.map(({ type }) => type))
      return log.append(thread, events, options)
    },
  })
  const { runs } = withAgents([caller([['locate', { precise: true }], ['locate']])], {
    log: counted,
  })
  await runs.start('t', { agent, ...say('Where?'), tools: [locate] }).result
  appends.length = 0
  await runs.answer('t', { agent, results: [{ toolCallId: 'call-1', content: 'x' }] }).result
  expect(appends).toEqual([['RUN_STARTED', 'TOOL_CALL_RESULT', 'CUSTOM', 'RUN_FINISHED']])
})

test('a tool of a sub-agent that only the client runs pends too, and its result reaches the sub-agent', async () => {
  const own = { inputSchema: z.object({}) }
  const asker = caller([['locate', { precise: true }], ['locate']], {
    name: 'asker',
    tools: { locate: own },
  })
  const { runs, log } = withAgents([below(2, asker)])
  const top = 'over_1'
  const asked = await runs.start('t', { agent: top, ...say('Where?'), tools: [locate] }).result
  expect(asked.waits).toHaveLength(2)
  const [one, two] = asked.waits.map(({ toolCallId }) => toolCallId)
  const given = (id = '') => [{ toolCallId: id, content: `at ${id}` }]
  const partly = await runs.answer('t', { agent: top, results: given(one), tools: [locate] }).result
  expect(partly.waits).toMatchObject([{ toolCallId: two, id: asked.waits[1]?.id }])
  const done = await runs.answer('t', { agent: top, results: given(two), tools: [locate] }).result
  expect(done.text).toContain(`at ${one}, at ${two}`)
  await expectWhole(log)
})

test('[S15] a new message while client tools are pending ends those calls as given up', async () => {
  const own = { inputSchema: z.object({}) }
  const asker = caller([['locate']], { name: 'asker', tools: { locate: own } })
  for (const depth of [0, 1]) {
    const log = memoryLog()
    const top = depth === 0 ? 'asker' : 'over_1'
    const guide = below(depth, asker)
    const { runs, records } = withAgents([guide], { log })
    await runs.start('t', { agent: top, ...say('Where?') }).result
    const second = runs.start('t', { agent: top, ...say('Never mind') })
    await second.started
    const opening = (await records()).filter(({ origin }) => origin.turn === second.run)
    expect(opening.map(({ type }) => type).slice(0, 3)).toEqual([
      'RUN_STARTED',
      'TOOL_CALL_RESULT',
      'TEXT_MESSAGE_START',
    ])
    expect(opening[1]).toMatchObject({
      data: { metadata: { throughline: { error: 'given_up' } } },
      origin: { source: 'system' },
    })
    await second.result
    await expectWhole(log)
  }
})

test('a page shows the calls that were given up at the run that made them, and that run as stopped', async () => {
  const own = { inputSchema: z.object({}) }
  const asker = caller([['locate', { precise: true }], ['locate']], {
    name: 'asker',
    tools: { locate: own },
  })
  for (const depth of [0, 1]) {
    const top = depth === 0 ? 'asker' : 'over_1'
    const { runs, records } = withAgents([below(depth, asker)])
    const first = runs.start('t', { agent: top, ...say('Where?'), tools: [locate] })
    await first.result
    const second = runs.start('t', { agent: top, ...say('Never mind'), tools: [] })
    const name = depth === 0 ? 'locate' : 'call_asker'
    const errors = only(await eventsOf(second), 'tool_error')
    expect(errors[0]).toMatchObject({ name, code: 'given_up', run: first.run, turn: first.run })
    const view = new CallerView()
    const events = (await records()).flatMap((record) => view.take(record))
    const { turns } = foldRunTree(EMPTY_RUN_TREE, events)
    const [before] = turns[0]?.runs ?? []
    expect(before?.state).toMatchObject({ status: 'stopped' })
    expect(JSON.stringify(before)).not.toContain('"waiting"')
    expect(turns[1]?.runs[0]?.items.some(({ key }) => key === errors[0]?.toolCallId)).toBe(false)
  }
})

test('a page shows results of the client at their calls, and what still waits as waiting', async () => {
  const { runs, records } = withAgents([caller([['locate', { precise: true }], ['locate']])])
  await runs.start('t', { agent, ...say('Where?'), tools: [locate] }).result
  await runs.answer('t', { agent, results: [{ toolCallId: 'call-1', content: 'Paris' }] }).result
  const view = new CallerView()
  const events = (await records()).flatMap((record) => view.take(record))
  const [run] = foldRunTree(EMPTY_RUN_TREE, events).turns[0]?.runs ?? []
  expect(run).toMatchObject({
    state: { status: 'waiting', waits: [{ toolCallId: 'call-2' }] },
    items: [
      { key: 'call-1', state: { status: 'done', result: 'Paris' } },
      { key: 'call-2', state: { status: 'waiting' } },
    ],
  })
})

test('[S15] approvals asked in the same step interrupt the run, and pending client calls are kept', async () => {
  const { paid, pay } = approvedPay()
  const guide = caller([['locate'], ['pay', { amount: 5 }]], { tools: { pay } })
  const { runs, records, log } = withAgents([guide])
  const asked = await runs.start('t', { agent, ...say('Pay'), tools: [locate] }).result
  const [pending, approval] = asked.waits
  expect((await records()).at(-1)?.data).toMatchObject({
    outcome: { type: 'interrupt', interrupts: [{ id: approval?.id }] },
    metadata: { throughline: { pendingToolCallIds: [pending?.toolCallId] } },
  })
  await expect(runs.start('t', { agent, ...say('Hello?') }).result).rejects.toMatchObject({
    code: 'waiting_for_input',
  })
  const yes = {
    interruptId: approval?.id ?? '',
    status: 'resolved' as const,
    payload: { approved: true },
  }
  const kept = await runs.answer('t', { agent, answers: [yes], tools: [locate] }).result
  expect(paid).toEqual([5])
  expect(kept.waits).toMatchObject([{ id: pending?.id, reason: 'client_tool' }])
  const results = [{ toolCallId: pending?.toolCallId ?? '', content: 'Paris' }]
  expect((await runs.answer('t', { agent, results, tools: [locate] }).result).text).toBe(
    'Got Paris, paid 5',
  )
  await expectWhole(log)
})

test('recovery keeps pending client calls', async () => {
  const log = memoryLog()
  await withAgents([caller([['locate']])], { log }).runs.start('t', {
    agent,
    ...say('Where?'),
    tools: [locate],
  }).result
  const { runs } = withAgents([caller([['locate']])], { log })
  await runs.recover('t')
  expect(await runs.waiting('t', { agent })).toMatchObject({ waits: [{ toolCallId: 'call-1' }] })
  const results = [{ toolCallId: 'call-1', content: 'Paris' }]
  expect((await runs.answer('t', { agent, results, tools: [locate] }).result).text).toBe(
    'Got Paris',
  )
  await expectWhole(log)
})

test.each([
  ['messages', { messages: Array.from({ length: 201 }, (_, at) => ({ id: `${at}`, text: '' })) }],
  ['tools', { tools: Array.from({ length: 65 }, (_, at) => ({ name: `t${at}` })) }],
  ['characters of tools', { tools: [{ name: 'a', description: 'x'.repeat(200_000) }] }],
  ['the tool "a b"', { tools: [{ name: 'a b' }] }],
  ['entries of context', { context: Array(101).fill({ description: '', value: '' }) }],
  ['characters of context', { context: [{ description: '', value: 'x'.repeat(100_001) }] }],
  ['the id of a run', { wire: { runId: '' } }],
  ['the id of a message', { messages: [{ id: 'x'.repeat(513), text: '' }] }],
] satisfies readonly (readonly [string, Partial<TurnRequest>])[])(
  'a request is refused for %s, and nothing is recorded',
  async (what, request) => {
    const { runs, records } = withAgents([idle().guide])
    await expect(runs.start('t', { agent, ...request }).result).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(what) as string,
    })
    expect(await records()).toEqual([])
  },
)
