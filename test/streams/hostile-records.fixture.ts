import { agentEvent, customEvent } from '../../src/activity/index.ts'
import type { AgentEventType } from '../../src/activity/index.ts'
import type { NewEvent, Origin } from 'throughline/log'
import type { Json } from 'throughline'

const PIECES = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\u2028',
  '\u2029',
  '\u0085',
  '\v\f',
  '\0',
  '\uD800',
  '\uDC00',
  '\uFEFF',
  '😀',
  ':',
  'data: {"forged":true}',
  'data:x',
  'id: 999999',
  'id:\0',
  'event: reset',
  'retry: 1',
  '\n\nid: 7\ndata: forged\n\n',
  '\r\n\r\nevent: hello\r\ndata: {"epoch":"forged","head":0}\r\n\r\n',
  '\\n\\ndata: x',
  '"}\n\ndata: {"',
  '0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  'é'.repeat(40),
  'x',
] as const

/** Text that would end a line, a frame or a connection, if it were written as it is. */
export function hostileText(random: () => number): string {
  const count = 1 + Math.floor(random() * 5)
  const pick = () => PIECES[Math.floor(random() * PIECES.length)] ?? ''
  return Array.from({ length: count }, pick).join('')
}

/** One record of each kind that a reader can see, hostile in each of its texts. */
export function hostileEvents(random: () => number): NewEvent[] {
  const text = () => hostileText(random)
  const origin = (): Origin => ({
    source: 'model',
    surface: text(),
    agent: text(),
    path: [text(), text()],
    depth: 0,
    run: text(),
    parentRun: text(),
    turn: text(),
    call: text(),
    cause: text(),
    rule: text(),
    attempt: 1,
  })
  const called = text()
  const run = text()
  const event = (type: AgentEventType, data: Json): NewEvent =>
    // What a hostile producer appends fits no payload's type.
    ({ ...agentEvent('RAW', { event: null }, origin()), type, data })
  return [
    event('RUN_STARTED', { threadId: text(), runId: run, input: { [text()]: text() } }),
    event('TEXT_MESSAGE_START', { messageId: text(), role: text() }),
    event('TEXT_MESSAGE_CONTENT', { messageId: text(), delta: text() }),
    event('REASONING_MESSAGE_CONTENT', { messageId: text(), delta: text() }),
    event('TOOL_CALL_START', { toolCallId: called, toolCallName: text() }),
    event('TOOL_CALL_ARGS', { toolCallId: called, delta: text() }),
    customEvent(
      'model_output',
      { model: text(), finishReason: text(), toolCalls: [called, called] },
      origin(),
    ),
    event('TOOL_CALL_RESULT', { toolCallId: called, content: text(), messageId: text() }),
    event('ACTIVITY_SNAPSHOT', {
      activityType: 'throughline.tool_output',
      content: { toolCallId: called, kind: 'log', output: { [text()]: text() } },
    }),
    event('STEP_STARTED', { stepName: text() }),
    event('STEP_FINISHED', { stepName: text() }),
    event('RUN_ERROR', { code: text(), message: text() }),
    event('RUN_FINISHED', { threadId: text(), runId: run }),
    { type: 'event_refused', data: { type: text(), reason: text(), detail: text() } },
    // A type is the one free text of a record outside its data.
    { type: text().slice(0, 128), data: { [text()]: [text(), { [text()]: text() }] } },
  ]
}
