import type { AssistantMessage, Message, ToolCall, ToolMessage } from '@ag-ui/core'
import type { Json } from '../../json/index.ts'
import { AGUI_FRAME_BYTES_MAX, ENVELOPE_BYTES } from './frame.ts'
import { wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

/** A character may take six bytes as JSON. */
const DELTA_CHARS_MAX = Math.floor((AGUI_FRAME_BYTES_MAX - ENVELOPE_BYTES) / 6)

/** Which items of the messages are still open: they get no end event. */
export interface OpenIds {
  readonly texts: ReadonlySet<string>
  readonly calls: ReadonlySet<string>
}

type StreamableMessage = AssistantMessage | ToolMessage

/** Splits off the last messages that are to be streamed again, from the first one that `isWanted` on. */
export function splitTail(
  messages: readonly Message[],
  isWanted: (message: Message) => boolean,
): { readonly restated: readonly Message[]; readonly streamed: readonly StreamableMessage[] } {
  const from = messages.findIndex(isWanted)
  const tail = from < 0 ? [] : messages.slice(from)
  // Clients keep the order in which messages come, so one that must be restated keeps all in the snapshot.
  if (!tail.every(isStreamable)) return { restated: messages, streamed: [] }
  return { restated: from < 0 ? messages : messages.slice(0, from), streamed: tail }
}

/** Whether events can say all of a message, and no sub-agent has to be announced for it. */
function isStreamable(message: Message): message is StreamableMessage {
  if (message.role !== 'assistant' && message.role !== 'tool') return false
  if (message.subagentRunId !== undefined || message.encryptedValue !== undefined) return false
  if (message.role === 'tool') return message.error === undefined
  const calls = message.toolCalls ?? []
  return calls.every(({ encryptedValue }) => encryptedValue === undefined)
}

/** The events that stream messages from their start, as far as they have come. */
export function messageEvents(
  messages: readonly StreamableMessage[],
  { texts, calls }: OpenIds,
  timestamp: number | undefined,
): readonly WireEvent[] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [resultEvent(message, timestamp)]
    const { id, toolCalls = [] } = message
    return [
      ...textEvents(message, texts.has(id), timestamp),
      ...toolCalls.flatMap((call) =>
        callEvents(call, { of: id, isOpen: calls.has(call.id) }, timestamp),
      ),
    ]
  })
}

function textEvents(
  { id, content, name, metadata }: AssistantMessage,
  isOpen: boolean,
  timestamp: number | undefined,
): readonly WireEvent[] {
  if (content === undefined) return []
  const named = name !== undefined && { name }
  const start = { messageId: id, role: 'assistant', ...named, ...noted(metadata) } as const
  return [
    wireEvent('TEXT_MESSAGE_START', start, timestamp),
    ...deltasOf(content).map((delta) =>
      wireEvent('TEXT_MESSAGE_CONTENT', { messageId: id, delta }, timestamp),
    ),
    ...(isOpen ? [] : [wireEvent('TEXT_MESSAGE_END', { messageId: id }, timestamp)]),
  ]
}

function callEvents(
  { id: toolCallId, function: called, metadata }: ToolCall,
  { of, isOpen }: { readonly of: string; readonly isOpen: boolean },
  timestamp: number | undefined,
): readonly WireEvent[] {
  const start = { toolCallId, toolCallName: called.name, parentMessageId: of, ...noted(metadata) }
  return [
    wireEvent('TOOL_CALL_START', start, timestamp),
    ...deltasOf(called.arguments).map((delta) =>
      wireEvent('TOOL_CALL_ARGS', { toolCallId, delta }, timestamp),
    ),
    ...(isOpen ? [] : [wireEvent('TOOL_CALL_END', { toolCallId }, timestamp)]),
  ]
}

function resultEvent(
  { id, toolCallId, content, metadata }: ToolMessage,
  timestamp: number | undefined,
): WireEvent {
  const result = { messageId: id, toolCallId, content, role: 'tool', ...noted(metadata) } as const
  return wireEvent('TOOL_CALL_RESULT', result, timestamp)
}

function noted(metadata: unknown): { readonly metadata?: Json } {
  // It came as JSON.
  return metadata === undefined ? {} : { metadata: metadata as Json }
}

function deltasOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / DELTA_CHARS_MAX)
  return Array.from({ length: count }, (_, at) =>
    text.slice(at * DELTA_CHARS_MAX, (at + 1) * DELTA_CHARS_MAX),
  )
}
