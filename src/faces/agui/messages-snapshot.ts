import type { AssistantMessage, Message, ToolMessage, UserMessage } from '@ag-ui/core'
import { contentText } from './content-text.ts'
import { AGUI_FRAME_BYTES_MAX, ENVELOPE_BYTES, isLongerThan } from './frame.ts'
import type { LongEventOptions } from './frame.ts'
import { customWireEvent, wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

/**
 * The events that set a client's whole conversation. When it is too long for one event, the newest
 * messages that fit are sent, and a `CUSTOM` event says how many are missing.
 */
export function messagesSnapshotEvents(
  messages: readonly Message[],
  { timestamp, bytesMax = AGUI_FRAME_BYTES_MAX }: LongEventOptions,
): readonly WireEvent[] {
  const kept = newestThatFit(messages, bytesMax - ENVELOPE_BYTES)
  const snapshot = wireEvent('MESSAGES_SNAPSHOT', { messages: [...kept] }, timestamp)
  const missing = messages.length - kept.length
  if (missing === 0) return [snapshot]
  return [snapshot, customWireEvent('history_truncated', { missing }, timestamp)]
}

/**
 * The events that make a client's conversation the given one, whatever it holds. A client keeps the
 * order of the messages that it has, so one with gaps is emptied first.
 */
export function replacedHistoryEvents(
  held: readonly Message[],
  messages: readonly Message[],
  options: LongEventOptions,
): readonly WireEvent[] {
  const ids = new Set(messages.map(({ id }) => id))
  const kept = held.filter(({ id }) => ids.has(id))
  const isStart = kept.every(({ id }, at) => messages[at]?.id === id)
  const emptied = isStart ? [] : messagesSnapshotEvents([], options)
  return [...emptied, ...messagesSnapshotEvents(messages, options)]
}

function newestThatFit(messages: readonly Message[], bytesMax: number): readonly Message[] {
  if (!isLongerThan(JSON.stringify(messages), bytesMax)) return messages
  const encoder = new TextEncoder()
  let left = bytesMax
  let start = messages.length
  while (start > 0) {
    // With the comma before it.
    left -= encoder.encode(JSON.stringify(messages[start - 1])).length + 1
    if (left < 0) break
    start--
  }
  // A result without its call means nothing to a client.
  while (messages[start]?.role === 'tool') start++
  return messages.slice(start)
}

/** A client may hold the thread's history and still differ in these. */
export interface UncomparedMessages {
  /** Ids of messages that came with the request. */
  readonly ids: ReadonlySet<string>
  /** Calls whose results only the client knows. */
  readonly calls: ReadonlySet<string>
}

/** Whether a client holds the same messages, as far as clients send them and the log has them. */
export function holdsSameMessages(
  held: readonly Message[],
  messages: readonly Message[],
  { ids, calls }: UncomparedMessages,
): boolean {
  const isCompared = (message: Message): message is SentMessage =>
    isSent(message) &&
    !ids.has(message.id) &&
    !(message.role === 'tool' && calls.has(message.toolCallId))
  const ours = messages.filter(isCompared).map(keyOf)
  const theirs = held.filter(isCompared).map(keyOf)
  return ours.length === theirs.length && ours.every((key, at) => key === theirs[at])
}

type SentMessage = AssistantMessage | ToolMessage | UserMessage

/** Instructions of a client never enter the log, and clients send neither activities nor all thoughts. */
function isSent(message: Message): message is SentMessage {
  return message.role === 'user' || message.role === 'assistant' || message.role === 'tool'
}

function keyOf(message: SentMessage): string {
  switch (message.role) {
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ id, function: called }) => [
        id,
        called.name,
        called.arguments,
      ])
      return JSON.stringify([message.id, message.content ?? '', calls])
    }
    case 'tool':
      return JSON.stringify(['tool', message.toolCallId, contentText(message.content)])
    case 'user':
      return JSON.stringify([message.id, contentText(message.content)])
  }
}
