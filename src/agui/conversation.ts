import type { LogRecord } from '../log/index.ts'
import { customValue, textOf } from './agent-event.ts'

/**
 * One utterance of a thread. A `note` is what the model is told besides what people write: what a
 * click recorded, or which of its own proposals were refused. People do not see notes.
 */
export interface ConversationMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'note'
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly ts: number
  readonly surface?: string
  readonly run?: string
  readonly status: 'open' | 'complete'
}

export interface Conversation {
  readonly messages: readonly ConversationMessage[]
}

export const EMPTY_CONVERSATION: Conversation = { messages: [] }

/** Folds text records into the messages of a thread; other records leave it as it is. Pure. */
export function foldConversation(
  conversation: Conversation,
  records: Iterable<LogRecord>,
): Conversation {
  let messages: ConversationMessage[] | undefined
  for (const record of records) {
    if (!concernsText(record)) continue
    messages ??= [...conversation.messages]
    foldInto(messages, record)
  }
  return messages ? { messages } : conversation
}

function concernsText(record: LogRecord): boolean {
  return record.type.startsWith('TEXT_MESSAGE_') || noteOf(record) !== undefined
}

function noteOf(record: LogRecord): string | undefined {
  const note = customValue(record, 'note')
  if (typeof note === 'string') return note
  if (record.type !== 'event_refused' || record.origin.source !== 'model') return undefined
  const { data } = record
  return `[Your event was refused: ${textOf(data, 'type')} (${textOf(data, 'reason')}: ${textOf(data, 'detail')})]`
}

function foldInto(messages: ConversationMessage[], record: LogRecord): void {
  const text = noteOf(record)
  if (text !== undefined) {
    messages.push({ ...opened(record, 'note'), id: record.id, text, status: 'complete' })
    return
  }
  if (record.type === 'TEXT_MESSAGE_START') {
    const role = textOf(record.data, 'role') === 'user' ? 'user' : 'assistant'
    messages.push(opened(record, role))
    return
  }
  const id = textOf(record.data, 'messageId')
  const index = messages.findLastIndex((message) => message.id === id)
  const message = messages[index]
  if (!message) return
  messages[index] =
    record.type === 'TEXT_MESSAGE_CONTENT'
      ? { ...message, text: message.text + textOf(record.data, 'delta') }
      : { ...message, status: 'complete' }
}

function opened(record: LogRecord, role: ConversationMessage['role']): ConversationMessage {
  const { surface, run } = record.origin
  return {
    id: textOf(record.data, 'messageId'),
    role,
    text: '',
    ts: record.ts,
    ...(surface ? { surface } : {}),
    ...(run ? { run } : {}),
    status: 'open',
  }
}
