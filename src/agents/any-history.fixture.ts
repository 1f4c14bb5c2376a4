import fc from 'fast-check'
import {
  EMPTY_CONVERSATION,
  agentEvent,
  customEvent,
  discardedResult,
  foldConversation,
} from '../activity/index.ts'
import type { ModelMessage } from '../models/index.ts'
import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import { modelHistory } from '../step/index.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

const origin: Origin = { source: 'model', agent: 'a', depth: 0, run: 'r', turn: 'r' }
const person: Origin = { ...origin, source: 'ui' }

const id = fc.constantFrom('call-1', 'call-2', 'm-1', '')
const text = fc.oneof(
  fc.constantFrom('', ' ', '\n', 'hello', '[note]', '\ud83d', '<agent-event type="x" />'),
  fc.string(),
)
const input = fc.constantFrom('{}', '{"a":1}', '', '{"a":', '5', '[]', 'null', '"\\ud83d"')
const name = fc.constantFrom('known', 'unknown')

/** The records that a thread may hold, in any order, well-formed or not. */
export const anyEvent: fc.Arbitrary<readonly NewEvent[]> = fc.oneof(
  text.map((delta) => [
    agentEvent('TEXT_MESSAGE_START', { messageId: 'u', role: 'user' }, person),
    agentEvent('TEXT_MESSAGE_CONTENT', { messageId: 'u', delta }, person),
  ]),
  fc
    .tuple(id, text)
    .map(([messageId, delta]) => [
      agentEvent('TEXT_MESSAGE_START', { messageId, role: 'assistant' }, origin),
      agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin),
    ]),
  fc
    .tuple(id, name, input)
    .map(([toolCallId, toolCallName, delta]) => [
      agentEvent('TOOL_CALL_START', { toolCallId, toolCallName }, origin),
      agentEvent('TOOL_CALL_ARGS', { toolCallId, delta }, origin),
      agentEvent('TOOL_CALL_END', { toolCallId }, origin),
    ]),
  fc
    .tuple(id, text)
    .map(([toolCallId, content]) => [
      agentEvent('TOOL_CALL_RESULT', { messageId: 'r', toolCallId, content, role: 'tool' }, origin),
    ]),
  id.map((toolCallId) => [discardedResult({ toolCallId, messageId: 'd' }, origin)]),
  fc
    .tuple(id, text)
    .map(([messageId, delta]) => [
      agentEvent('REASONING_MESSAGE_START', { messageId, role: 'reasoning' }, origin),
      agentEvent('REASONING_MESSAGE_CONTENT', { messageId, delta }, origin),
      agentEvent(
        'REASONING_ENCRYPTED_VALUE',
        { subtype: 'message', entityId: messageId, encryptedValue: '{"provider":{"sign":"x"}}' },
        origin,
      ),
    ]),
  text.map((note) => [customEvent('note', note, origin)]),
  fc.constant([customEvent('history_reset', {}, origin)]),
  fc
    .tuple(fc.nat(40), text)
    .map(([through, summary]) => [customEvent('history_compacted', { through, summary }, origin)]),
  text.map((type) => [
    { type: 'event_refused', data: { type, reason: 'locked', detail: 'no' }, origin },
  ]),
)

export function stored(events: readonly NewEvent[]): readonly LogRecord[] {
  return events.map((event, seq) => recordAt(seq, { origin, ...event, id: `id-${seq}`, v: 1 }))
}

/** Model messages of any thread, cut off anywhere; its only tool is called `known`. */
export const anyHistory: fc.Arbitrary<readonly ModelMessage[]> = fc
  .tuple(fc.array(anyEvent, { maxLength: 24 }), fc.nat(60))
  .map(([events, cut]) => {
    const records = stored(events.flat().slice(0, cut))
    const { messages } = foldConversation(EMPTY_CONVERSATION, records)
    return modelHistory(messages, { tools: new Set(['known']) })
  })
