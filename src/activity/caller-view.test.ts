import { expect, test } from 'vitest'
import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import { CallerView, agentEvent } from './index.ts'

const origin: Origin = { source: 'system', agent: 'A', depth: 0, run: 'r', turn: 'r' }
const child: Origin = { ...origin, agent: 'B', depth: 1, run: 's', parentRun: 'r', call: 'c' }

/** Returns the caller's events of some events, read one after the other. */
function seen(...events: readonly NewEvent[]) {
  const view = new CallerView()
  return events.flatMap((event, seq) => {
    const place = { seq, id: `id-${seq}`, thread: 't', ts: seq, v: 1, prev: '', hash: '' }
    const record: LogRecord = { ...event, ...place, origin: event.origin ?? origin }
    return view.take(record)
  })
}

const result = (content: string, json: boolean) =>
  agentEvent(
    'TOOL_CALL_RESULT',
    {
      messageId: 'm',
      toolCallId: 'c',
      content,
      role: 'tool',
      metadata: { throughline: json ? { json } : {} },
    },
    origin,
  )

test('[C003] a result is the value that was given, the text where it is none, as it is where it is broken', () => {
  const results = seen(result('{"a":1}', true), result('{"a":1}', false), result('{"a":', true))
  expect(results).toMatchObject([{ result: { a: 1 } }, { result: '{"a":1}' }, { result: '{"a":' }])
})

test('what began before a reader came is shown without what only its beginning says', () => {
  const end = agentEvent('STEP_FINISHED', { stepName: 'model:1' }, origin)
  expect(seen(end)).toMatchObject([
    { type: 'completion_end', step: 'model:1', usage: { model: '' }, finishReason: '' },
  ])
  const started = agentEvent(
    'SUBAGENT_STARTED',
    { subagentRunId: 's', name: 'B', description: 'Go' },
    child,
  )
  expect(seen(started)).toMatchObject([{ type: 'prompt_started', content: 'Go', depth: 1 }])
})

test('[C005] a sub-agent is announced as its caller’s call, then as its own start', () => {
  const events = seen(
    agentEvent('RUN_STARTED', { threadId: 't', runId: 'r' }, origin),
    agentEvent(
      'TEXT_MESSAGE_CONTENT',
      { messageId: 'u', delta: 'Hi' },
      { ...origin, source: 'ui' },
    ),
    agentEvent('TOOL_CALL_START', { toolCallId: 'c', toolCallName: 'call_b' }, origin),
    agentEvent('SUBAGENT_STARTED', { subagentRunId: 's', name: 'B', description: 'Go' }, child),
  )
  expect(events.map(({ type, agent }) => `${agent} ${type}`)).toEqual([
    'A prompt_started',
    'A subagent_call',
    'B prompt_started',
  ])
})

test('a failure whose code a role may not see is still one', () => {
  const told = { message: 'The assistant could not answer' }
  expect(seen({ type: 'RUN_ERROR', data: told, origin })).toMatchObject([
    { type: 'turn_end', reason: 'error', error: told },
  ])
})
