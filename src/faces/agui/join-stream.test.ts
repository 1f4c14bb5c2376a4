import { expect, test } from 'vitest'
import { agentEvent } from '../../activity/index.ts'
import {
  answers,
  asks,
  belowOrigin,
  calls,
  runFinished,
  runStarted,
  says,
  subagentStarted,
  topOrigin,
} from '../../activity/turn-records.fixture.ts'
import { till, user } from '../../agents/pause.fixture.ts'
import { withAgents } from '../../agents/runs.fixture.ts'
import type { NewEvent } from '../../log/index.ts'
import { applied, readFrames, verified } from './stock-client.fixture.ts'
import { joinText } from './streams.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const agent = topOrigin({ agent: 'A' }, 'turn-1')
const person = { ...agent, source: 'ui' } as const
const below = belowOrigin(agent, 'sub-1', 'c-1')
const tag = { subagentRunId: 'sub-1' }

/** A turn that is cut in the middle of everything: text, a call’s arguments, a thought, a sub-agent. */
const UNFINISHED: readonly NewEvent[] = [
  runStarted(agent),
  ...says(person, 'm-1', 'Go'),
  agentEvent('STEP_STARTED', { stepName: 'model:1' }, agent),
  agentEvent('TEXT_MESSAGE_START', { messageId: 'm-2', role: 'assistant' }, agent),
  agentEvent('TEXT_MESSAGE_CONTENT', { messageId: 'm-2', delta: 'Half ' }, agent),
  agentEvent('TOOL_CALL_START', { toolCallId: 'c-1', toolCallName: 'call_clerk' }, agent),
  agentEvent('TOOL_CALL_ARGS', { toolCallId: 'c-1', delta: '{"message":' }, agent),
  subagentStarted(below),
  agentEvent('STEP_STARTED', { stepName: 'model:1', ...tag }, below),
  agentEvent('REASONING_START', { messageId: 'th-1', ...tag }, below),
  agentEvent('REASONING_MESSAGE_START', { messageId: 'th-1', role: 'reasoning', ...tag }, below),
  agentEvent('REASONING_MESSAGE_CONTENT', { messageId: 'th-1', delta: 'I think ', ...tag }, below),
]

const REST: readonly NewEvent[] = [
  agentEvent('REASONING_MESSAGE_CONTENT', { messageId: 'th-1', delta: 'so', ...tag }, below),
  agentEvent('REASONING_MESSAGE_END', { messageId: 'th-1', ...tag }, below),
  agentEvent('REASONING_END', { messageId: 'th-1', ...tag }, below),
  agentEvent('STEP_FINISHED', { stepName: 'model:1', ...tag }, below),
  agentEvent('SUBAGENT_FINISHED', { subagentRunId: 'sub-1', outcome: { type: 'success' } }, below),
  agentEvent('TOOL_CALL_ARGS', { toolCallId: 'c-1', delta: '"x"}' }, agent),
  agentEvent('TOOL_CALL_END', { toolCallId: 'c-1' }, agent),
  agentEvent('TEXT_MESSAGE_CONTENT', { messageId: 'm-2', delta: 'and half' }, agent),
  agentEvent('TEXT_MESSAGE_END', { messageId: 'm-2' }, agent),
  agentEvent('STEP_FINISHED', { stepName: 'model:1' }, agent),
  runFinished(agent, 'success'),
]

test('a client that joins in the middle of a message gets the exact text, arguments and thoughts', async () => {
  const log = memoryLog()
  await log.append('t', UNFINISHED)
  const joining = joinText(log, { runId: 'mine' })
  for (const event of REST) await log.append('t', [event])
  const events = readFrames(await joining).map(({ event }) => event)
  await verified(events)
  await verified(events, 'before-1.0')
  const { messages } = await applied(events)
  expect(messages).toMatchObject([
    { id: 'm-1', role: 'user', content: 'Go' },
    {
      id: 'm-2',
      content: 'Half and half',
      toolCalls: [{ id: 'c-1', function: { arguments: '{"message":"x"}' } }],
    },
    { id: 'th-1', role: 'reasoning', content: 'I think so', ...tag },
  ])
  expect(events.at(0)).toMatchObject({ type: 'RUN_STARTED', runId: 'mine' })
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'mine' })
})

test('a thread in which nothing happens, or ever happened, ends at once', async () => {
  const log = memoryLog()
  const empty = readFrames(await joinText(log)).map(({ event }) => event)
  await verified(empty)
  expect(empty.map(({ type }) => type)).toEqual([
    'RUN_STARTED',
    'MESSAGES_SNAPSHOT',
    'STATE_SNAPSHOT',
    'RUN_FINISHED',
  ])
  await log.append('t', [...UNFINISHED, ...REST])
  const idle = readFrames(await joinText(log)).map(({ event }) => event)
  expect(idle.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
})

test('an open question ends the run at once for a client that asks for the end, not for others', async () => {
  const { pay } = till()
  const { ask, log } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { waits } = await ask('Pay').result
  const other = topOrigin({ agent: 'B' }, 'turn-2')
  await log.append('t', [runStarted(other), ...says(other, 'm-9', 'Still at work')])
  const ended = readFrames(await joinText(log, { tells: 'end' })).map(({ event }) => event)
  await verified(ended)
  expect(ended.at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    outcome: { type: 'interrupt', interrupts: [{ id: waits[0]?.id }] },
  })
  // Another agent asks nothing.
  const joining = joinText(log, { tells: 'end', agent: 'B' })
  await log.append('t', [runFinished(other, 'success')])
  const followed = readFrames(await joining).map(({ event }) => event)
  expect(followed.at(-1)).toMatchObject({ outcome: { type: 'success' } })
})

test('a surface sees its own messages and turns alone', async () => {
  const log = memoryLog()
  const shop = topOrigin({ agent: 'S', surface: 'shop' }, 'turn-s')
  await log.append('t', [
    runStarted(shop),
    ...says(shop, 'm-s', 'To the shop'),
    runStarted(agent),
    ...says(agent, 'm-a', 'To all'),
    runFinished(agent, 'success'),
  ])
  const { messages } = await applied(readFrames(await joinText(log)).map(({ event }) => event))
  expect(messages.map(({ id }) => id)).toEqual(['m-a'])
  const joining = joinText(log, { surface: 'shop' })
  await log.append('t', [runFinished(shop, 'cancelled')])
  const events = readFrames(await joining).map(({ event }) => event)
  expect((await applied(events)).messages.map(({ id }) => id)).toEqual(['m-s'])
  expect(events.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } })
})

test('the open reply is streamed from its start: clients that keep the parts of a run by its messages have all of it', async () => {
  const log = memoryLog()
  const cut = UNFINISHED.slice(0, -5)
  await log.append('t', cut)
  const joining = joinText(log)
  for (const event of REST.slice(5)) await log.append('t', [event])
  const frames = readFrames(await joining)
  const events = frames.map(({ event }) => event)
  await verified(events)
  expect(events.slice(1, 8)).toMatchObject([
    { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm-1' }] },
    { type: 'STATE_SNAPSHOT' },
    { type: 'STEP_STARTED' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm-2' },
    { type: 'TEXT_MESSAGE_CONTENT', delta: 'Half ' },
    { type: 'TOOL_CALL_START', toolCallId: 'c-1', parentMessageId: 'm-2' },
    { type: 'TOOL_CALL_ARGS', delta: '{"message":' },
  ])
  // Every frame of it can be resumed.
  const whole = frames.map(({ id }) => id)
  const prelude = whole.filter((id) => id.startsWith('p'))
  expect(prelude).toHaveLength(8)
  for (const after of prelude) {
    const rest = readFrames(await joinText(log, { after }))
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(1 + whole.indexOf(after)))
  }
})

test('a client that joins at an open question gets the messages that it is about in the run that asks', async () => {
  const { pay } = till()
  const { ask, resume, log } = withAgents([user('payer', ['pay', pay], { amount: 5 })])
  const { run, waits } = await ask('Pay').result
  const events = readFrames(await joinText(log)).map(({ event }) => event)
  await verified(events)
  await verified(events, 'before-1.0')
  const call = waits[0]?.toolCallId
  expect(events.slice(1)).toMatchObject([
    { type: 'MESSAGES_SNAPSHOT', messages: [{ role: 'user' }] },
    { type: 'STATE_SNAPSHOT' },
    { type: 'TOOL_CALL_START', toolCallId: call, toolCallName: 'pay' },
    { type: 'TOOL_CALL_ARGS', delta: '{"amount":5}' },
    { type: 'TOOL_CALL_END', toolCallId: call },
    { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ toolCallId: call }] } },
  ])
  await resume(run, { approved: true }).result
  const answered = readFrames(await joinText(log)).map(({ event }) => event.type)
  expect(answered).not.toContain('TOOL_CALL_START')
})

test('a question beside a call that has its result: both are streamed in their order', async () => {
  const log = memoryLog()
  const interrupts = [{ id: 'w-1', reason: 'input_required', toolCallId: 'c-2' }]
  const outcome = { type: 'interrupt' as const, interrupts }
  await log.append('t', [
    runStarted(agent),
    ...says(person, 'm-1', 'Go'),
    ...calls(agent, 'c-1'),
    ...calls(agent, 'c-2'),
    answers(agent, 'c-1'),
    asks(agent, 'w-1', 'c-2'),
    agentEvent('RUN_FINISHED', { threadId: 't', runId: 'turn-1', outcome }, agent),
  ])
  const events = readFrames(await joinText(log)).map(({ event }) => event)
  await verified(events)
  const { messages } = await applied(events)
  expect(messages).toMatchObject([
    { id: 'm-1' },
    { id: 'c-1_message', toolCalls: [{ id: 'c-1' }, { id: 'c-2' }] },
    { role: 'tool', toolCallId: 'c-1' },
  ])
  const streamed = events.slice(3).map(({ type }) => type)
  const call = ['TOOL_CALL_START', 'TOOL_CALL_END']
  expect(streamed).toEqual([...call, ...call, 'TOOL_CALL_RESULT', 'RUN_FINISHED'])
})
