import type { AGUIEvent } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { InvariantError } from '../assert/index.ts'
import { StreamVerifier } from '../wire/index.ts'
import { SUBAGENTS_KEPT_MAX, ThreadFold } from './index.ts'
import type { Fault, ThreadFoldOptions } from './index.ts'

type Sent = Readonly<Record<string, unknown>> & { readonly type: string }

const STARTED = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const FINISHED = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

const text = (messageId: string, delta: string) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
]
const call = (toolCallId: string, args: string, parentMessageId?: string) => [
  {
    type: 'TOOL_CALL_START',
    toolCallId,
    toolCallName: 'look',
    ...(parentMessageId && { parentMessageId }),
  },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args },
  { type: 'TOOL_CALL_END', toolCallId },
]

/** A fold behind the verifier, as the client has it. */
function folding(options: ThreadFoldOptions = {}) {
  const faults: Fault[] = []
  const fold = new ThreadFold({ onFault: (fault) => faults.push(fault), ...options })
  const verifier = new StreamVerifier()
  const take = (...events: readonly Sent[]) => {
    for (const event of events) for (const each of verifier.take(event)) fold.take(each)
    return fold.view
  }
  return { fold, faults, take }
}

test('[E011] [E012] [E013] steps are open until they end, each agent’s on its own, and are counted', () => {
  const { take } = folding()
  const step = (type: string, subagentRunId?: string) => ({
    type,
    stepName: 'model',
    ...(subagentRunId && { subagentRunId }),
  })
  take(STARTED, { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'archive' })
  expect(take(step('STEP_STARTED'), step('STEP_STARTED', 's'))).toMatchObject({
    openSteps: [{ name: 'model' }, { name: 'model', subagentRunId: 's' }],
    stepsEnded: 0,
  })
  expect(take(step('STEP_FINISHED', 's'))).toMatchObject({
    openSteps: [{ name: 'model' }],
    stepsEnded: 1,
  })
  const ended = take(
    step('STEP_FINISHED'),
    { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
    FINISHED,
  )
  expect(ended).toMatchObject({ openSteps: [], stepsEnded: 2, run: { status: 'finished' } })
  expect(take(STARTED).stepsEnded).toBe(0)
})

test('[E015] [E016] [E017] [E018] messages are open while they are written, and interleaved ones are kept apart', () => {
  const { take } = folding()
  const [startA = STARTED, , endA = STARTED] = text('a', '')
  const [startB = STARTED, , endB = STARTED] = text('b', '')
  const delta = (messageId: string, said: string) => ({
    type: 'TEXT_MESSAGE_CONTENT',
    messageId,
    delta: said,
  })
  expect(take(STARTED, startA, startB).openMessages).toEqual(new Set(['a', 'b']))
  take(delta('a', 'one '), delta('b', 'three '), delta('a', 'two'), delta('b', 'four'))
  const view = take(endA)
  expect(view.openMessages).toEqual(new Set(['b']))
  expect(view.messages.map(({ content }) => content)).toEqual(['one two', 'three four'])
  expect(take(endB, FINISHED).openMessages).toEqual(new Set())
})

test('[E021] [E022] [E023] [E024] a call shows its arguments as they come, and its result right after its message', () => {
  const { take } = folding()
  const [start = STARTED, args = STARTED, end = STARTED] = call('c', '{"what":', 'm')
  take(STARTED, ...text('m', 'Let me look'), start, args)
  const { messages, openCalls } = take({ ...args, delta: '1}' })
  expect(openCalls).toEqual(new Set(['c']))
  expect(messages).toMatchObject([
    { id: 'm', toolCalls: [{ id: 'c', function: { name: 'look', arguments: '{"what":1}' } }] },
  ])
  const result = { type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'c', content: 'a map' }
  const view = take(end, ...text('later', 'And'), result, result, FINISHED)
  expect(view.messages.map(({ id }) => id)).toEqual(['m', 'res', 'later'])
  expect(view.openCalls.size).toBe(0)
})

test('[E026] an event of a call that is not there is reported, and the run goes on', () => {
  const { take, faults } = folding()
  const [start = STARTED, args = STARTED] = call('c', '{}')
  take(STARTED, start, { type: 'MESSAGES_SNAPSHOT', messages: [] }, args)
  take(
    { type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'unknown', content: 'x' },
    { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'no', encryptedValue: '' },
    { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'no', encryptedValue: '' },
    { type: 'ACTIVITY_DELTA', messageId: 'no', activityType: 't', patch: [] },
  )
  expect(faults.map(({ code, event }) => [code, event?.type])).toEqual([
    ['unknown_call', 'TOOL_CALL_ARGS'],
    ['unknown_call', 'TOOL_CALL_RESULT'],
    ['unknown_call', 'REASONING_ENCRYPTED_VALUE'],
    ['unknown_message', 'REASONING_ENCRYPTED_VALUE'],
    ['unknown_message', 'ACTIVITY_DELTA'],
  ])
  // A result is shown even so: it was delivered.
  expect(take({ type: 'TOOL_CALL_END', toolCallId: 'c' }, FINISHED)).toMatchObject({
    messages: [{ id: 'res', content: 'x' }],
    run: { status: 'finished' },
  })
})

test('an id that is taken by another kind of message changes nothing', () => {
  const { take, faults } = folding()
  const activity = {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: 'm',
    activityType: 't',
    content: { a: 1 },
  }
  const result = { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: 'x' }
  const { messages } = take(STARTED, activity, ...text('m', 'over it'), ...call('c', '{}'), result)
  expect(messages[0]).toEqual({ id: 'm', role: 'activity', activityType: 't', content: { a: 1 } })
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['other_message']))
  expect(faults).toHaveLength(4)
})

test('an activity keeps its content when a patch does not fit or leaves no object', () => {
  const { take, faults } = folding()
  const activity = {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: 'm',
    activityType: 't',
    content: { a: 1 },
  }
  const patch = (operation: unknown) => ({
    type: 'ACTIVITY_DELTA',
    messageId: 'm',
    activityType: 't',
    patch: [operation],
  })
  take(STARTED, activity, patch({ op: 'remove', path: '/b' }))
  const { messages } = take(patch({ op: 'replace', path: '', value: [1] }))
  expect(messages[0]?.content).toEqual({ a: 1 })
  expect(faults.map(({ code }) => code)).toEqual(['misfit', 'misfit'])
})

test('[E029] [E041] a delta is atomic, and the new state shares the unchanged parts', () => {
  const { take, faults } = folding()
  const snapshot = { list: [1], far: { deep: true } }
  const before = take(STARTED, { type: 'STATE_SNAPSHOT', snapshot }).state
  const delta = (...operations: readonly unknown[]) => ({ type: 'STATE_DELTA', delta: operations })
  const after = take(delta({ op: 'add', path: '/list/-', value: 2 })).state
  expect(after).toEqual({ list: [1, 2], far: { deep: true } })
  expect(before).toEqual({ list: [1], far: { deep: true } })
  const far = (state: unknown) => (state as { readonly far: unknown }).far
  expect(far(after)).toBe(far(before))
  const misfit = delta({ op: 'remove', path: '/list' }, { op: 'remove', path: '/no' })
  expect(take(misfit)).toMatchObject({ state: { list: [1, 2] }, isStateCurrent: false })
  expect(faults).toMatchObject([{ code: 'misfit', event: { type: 'STATE_DELTA' } }])
  expect(take({ type: 'STATE_SNAPSHOT', snapshot: null })).toMatchObject({
    state: null,
    isStateCurrent: true,
  })
})

test('[E034] custom events go to the handler of their name, raw ones to that of their source', () => {
  const heard: string[] = []
  const hear = (who: string) => (event: AGUIEvent) => heard.push(`${who} ${event.type}`)
  const { take } = folding({
    custom: { chart: hear('chart'), '*': hear('others') },
    raw: { langgraph: hear('langgraph') },
  })
  const raw = { type: 'RAW', event: { any: 1 } }
  take(
    STARTED,
    { type: 'CUSTOM', name: 'chart', value: 1 },
    { type: 'CUSTOM', name: 'toString', value: 1 },
    { ...raw, source: 'langgraph' },
    { ...raw, source: 'another' },
    raw,
    FINISHED,
  )
  expect(heard).toEqual(['chart CUSTOM', 'others CUSTOM', 'langgraph RAW'])
})

test('sub-agents are a tree that outlives the run, and an unchanged branch stays the same', () => {
  const { take } = folding()
  const begins = (id: string, parent?: string) => ({
    type: 'SUBAGENT_STARTED',
    subagentRunId: id,
    name: `agent ${id}`,
    ...(parent && { parentSubagentRunId: parent }),
  })
  take(STARTED, begins('a'), begins('b', 'a'), { ...begins('c'), parentToolCallId: 'call' })
  const first = take({ type: 'SUBAGENT_ERROR', subagentRunId: 'b', message: 'lost', code: 'gone' })
  expect(first.subagents).toMatchObject([
    {
      id: 'a',
      name: 'agent a',
      state: { status: 'working' },
      children: [{ id: 'b', state: { status: 'failed', message: 'lost', code: 'gone' } }],
    },
    { id: 'c', toolCallId: 'call', children: [] },
  ])
  const outcome = { type: 'suspended', interruptIds: ['i'] }
  const second = take({ type: 'SUBAGENT_FINISHED', subagentRunId: 'c', outcome })
  expect(second.subagents[0]).toBe(first.subagents[0])
  expect(second.subagents[1]?.state).toEqual({ status: 'suspended', interruptIds: ['i'] })
  take({ type: 'SUBAGENT_FINISHED', subagentRunId: 'a', result: 7 }, FINISHED)
  expect(take(STARTED).subagents[0]?.state).toEqual({ status: 'finished', result: 7 })
})

test('sub-agents have a maximum: the oldest are forgotten', () => {
  const { take } = folding()
  take(STARTED)
  for (let at = 0; at < SUBAGENTS_KEPT_MAX; at++) {
    const id = { subagentRunId: `s${at}` }
    take({ type: 'SUBAGENT_STARTED', name: 'a', ...id }, { type: 'SUBAGENT_FINISHED', ...id })
  }
  const { subagents } = take({ type: 'SUBAGENT_STARTED', subagentRunId: 'last', name: 'a' })
  expect(subagents).toHaveLength(SUBAGENTS_KEPT_MAX)
  expect([subagents[0]?.id, subagents.at(-1)?.id]).toEqual(['s1', 'last'])
})

test('calls of the client wait for their results: those that the run names, or those it left', () => {
  const { take, fold } = folding()
  take(STARTED, ...call('a', '{}'), ...call('b', '{}'))
  take({ type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'a', content: '' })
  expect(take(FINISHED).pendingCalls).toMatchObject([{ id: 'b' }])
  fold.add([{ id: 'mine', role: 'tool', toolCallId: 'b', content: 'done' }])
  expect(fold.view.pendingCalls).toEqual([])
  expect(fold.view.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'b' })
  take(STARTED, ...call('c', '{}'), ...call('d', '{}'))
  const named = { type: 'success', pendingToolCallIds: ['d'] }
  expect(take({ ...FINISHED, outcome: named }).pendingCalls).toMatchObject([{ id: 'd' }])
  const interrupts = [{ id: 'i', reason: 'tool_call', toolCallId: 'e' }]
  take(STARTED, ...call('e', '{}'), ...call('f', '{}'))
  const view = take({ ...FINISHED, outcome: { type: 'interrupt', interrupts } })
  expect(view.pendingCalls).toMatchObject([{ id: 'f' }])
  expect(view.interrupts).toEqual(interrupts)
  expect(take(STARTED, { ...FINISHED, outcome: { type: 'cancelled' } })).toMatchObject({
    pendingCalls: [],
    interrupts: [],
    run: { status: 'cancelled' },
  })
})

test('[E019] a message that did not change stays the same object, however much the others do', () => {
  const { take } = folding({
    messages: Array.from({ length: 1_000 }, (_, at) => ({
      id: `old-${at}`,
      role: 'user' as const,
      content: 'x',
    })),
  })
  const first = take(STARTED, ...text('a', 'one'), ...call('c', '{', 'a'))
  const [start = STARTED, delta = STARTED] = text('b', 'two')
  const second = take(start, delta)
  expect(second.messages.slice(0, 1_001)).toEqual(first.messages)
  for (const [at, message] of first.messages.entries()) expect(second.messages[at]).toBe(message)
  const third = take({ type: 'CUSTOM', name: 'x', value: 1 })
  expect(third.messages).toBe(second.messages)
  expect(third.openMessages).toBe(second.openMessages)
  expect(third.openSteps).toBe(second.openSteps)
  expect(third.subagents).toBe(second.subagents)
  expect(third.pendingCalls).toBe(second.pendingCalls)
})

test('the fold never changes messages that it was given or has shown', () => {
  const given = [{ id: 'm', role: 'assistant' as const, content: 'one' }]
  const { take } = folding({ messages: given })
  const [start = STARTED, delta = STARTED] = text('m', ' two')
  const before = take(STARTED)
  take(start, delta, ...call('c', '{}', 'm'))
  expect(given).toEqual([{ id: 'm', role: 'assistant', content: 'one' }])
  expect(before.messages).toEqual(given)
})

test('a chunk form that was not expanded is a bug of the caller', () => {
  const fold = new ThreadFold()
  // A caller without the verifier may pass this.
  const chunk = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm' } as AGUIEvent
  expect(() => fold.take(chunk)).toThrow(InvariantError)
})
