import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { customValue, isAgentEventType, ourMetadata } from './agent-event.ts'
import { isJsonArray, membersOf, shortJson, textOf } from '../json/index.ts'
import { isDiscarded } from './discarded-call.ts'
import { filesIn } from './input-file.ts'
import type { InputFile } from './input-file.ts'
import type { ConversationMessage, MessageBase, NoteMessage, SpokenMessage } from './message.ts'
import { refusalNote } from './refusal-note.ts'

/** The most of an accepted event's data that its note repeats, in characters. */
export const ACCEPTED_DATA_CHARS_MAX = 500

function noteOf(record: LogRecord): string | undefined {
  const note = customValue(record, 'note')
  if (typeof note === 'string') return note
  if (!answersModel(record)) return undefined
  const { type, data } = record
  if (type !== 'event_refused') {
    return `[Your event was accepted: ${type} ${shortJson(data, ACCEPTED_DATA_CHARS_MAX)}]`
  }
  return refusalNote(data)
}

/**
 * Whether a record shows a model what became of an event of a domain that it proposed. Of accepted events
 * only those count that came by a tag, which carry the attempt of their model call: the result of a tool
 * already says that its proposal was accepted.
 */
export function answersModel({ type, origin }: LogRecord): boolean {
  if (origin.source !== 'model') return false
  return type === 'event_refused' || (origin.attempt !== undefined && !isAgentEventType(type))
}

export function foldInto(messages: ConversationMessage[], record: LogRecord): void {
  const { data } = record
  switch (record.type) {
    case 'TEXT_MESSAGE_START':
    case 'REASONING_MESSAGE_START':
    case 'TOOL_CALL_START':
      messages.push(startedMessage(record))
      return
    case 'TOOL_CALL_RESULT':
      answer(messages, record)
      return
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT':
    case 'TOOL_CALL_ARGS':
      change(messages, subjectOf(record), (message) => ({
        ...message,
        text: message.text + textOf(data, 'delta'),
        ...(record.origin.source === 'ui' && withFiles(filesIn(data))),
      }))
      return
    case 'TEXT_MESSAGE_END':
    case 'REASONING_MESSAGE_END':
    case 'TOOL_CALL_END':
      change(messages, subjectOf(record), (message) => ({ ...message, status: 'complete' }))
      return
    case 'REASONING_ENCRYPTED_VALUE':
      change(messages, textOf(data, 'entityId'), (message) => encryptedAs(message, record))
      return
    default:
      foldOurs(messages, record)
  }
}

function withFiles(files: readonly InputFile[]): { readonly files?: readonly InputFile[] } {
  return files.length > 0 ? { files } : {}
}

function startedMessage(record: LogRecord): ConversationMessage {
  const { type, data } = record
  const id = subjectOf(record)
  if (type === 'TOOL_CALL_START') {
    const parent = textOf(data, 'parentMessageId')
    const name = textOf(data, 'toolCallName')
    return { ...opened(record), id, name, role: 'call', ...(parent !== '' && { parent }) }
  }
  if (type === 'REASONING_MESSAGE_START') return { ...opened(record), id, role: 'reasoning' }
  return { ...opened(record), id, role: textOf(data, 'role') === 'user' ? 'user' : 'assistant' }
}

function encryptedAs(message: ConversationMessage, { data }: LogRecord): ConversationMessage {
  const has = message.role === 'reasoning' || message.role === 'call'
  return has ? { ...message, encrypted: textOf(data, 'encryptedValue') } : message
}

/** Folds our custom records: notes, resets of the history, summaries of it. */
function foldOurs(messages: ConversationMessage[], record: LogRecord): void {
  const note = noteOf(record)
  if (note !== undefined) messages.push(noteMessage(record, note))
  if (customValue(record, 'history_reset') !== undefined) {
    replace(messages, [], (message) => !isOnSurfaceOf(record, message))
  }
  const output = customValue(record, 'model_output')
  if (output !== undefined) answerFor(messages, record, output)
  const compacted = customValue(record, 'history_compacted')
  if (compacted !== undefined) compact(messages, record, compacted)
}

/** Puts a summary in the place of the old messages of its surface: before all that are kept. */
function compact(messages: ConversationMessage[], record: LogRecord, compacted: Json): void {
  const through = Number(membersOf(compacted)['through'])
  const answered = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.call] : [])))
  const { kept = null } = membersOf(compacted)
  const staying = new Set(isJsonArray(kept) ? kept.map(Number) : [])
  const note = noteMessage(record, textOf(compacted, 'summary'))
  const summary = { ...note, isSummary: true, seq: through } as const
  replace(messages, [summary], (message) => {
    if (!isOnSurfaceOf(record, message)) return true
    // Reasoning is signed for a prompt that held the messages that are gone.
    if (message.seq > through) return message.role !== 'reasoning'
    if (message.role === 'user' && staying.has(message.seq)) return true
    // A turn that waits answers its calls when it is resumed.
    return message.role === 'call' && !answered.has(message.id)
  })
}

/** Keeps some messages, and puts others among them by their place in the thread. */
function replace(
  messages: ConversationMessage[],
  added: readonly ConversationMessage[],
  stays: (message: ConversationMessage) => boolean,
): void {
  const kept = messages.filter(stays)
  messages.length = 0
  messages.push(...kept)
  for (const each of added) {
    const at = messages.findIndex(({ seq }) => seq > each.seq)
    messages.splice(at < 0 ? messages.length : at, 0, each)
  }
}

function isOnSurfaceOf({ origin }: LogRecord, { surface }: ConversationMessage): boolean {
  return surface === origin.surface
}

/** Adds to a model call's texts how the call ended, and to its thoughts the prompt. */
function answerFor(messages: ConversationMessage[], { origin }: LogRecord, output: Json): void {
  const error = textOf(output, 'error')
  const prompt = textOf(output, 'prompt')
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message || message.run !== origin.run || !MODEL_ROLES.has(message.role)) return
    // The text of a cancelled call still counts as said.
    if (error !== '' && error !== 'cancelled') messages[at] = { ...message, failed: true }
    else if (message.role === 'reasoning' && prompt !== '') messages[at] = { ...message, prompt }
  }
}

const MODEL_ROLES: ReadonlySet<string> = new Set(['assistant', 'reasoning', 'call'])

export function noteMessage(record: LogRecord, text: string): NoteMessage {
  return { ...opened(record), id: record.id, role: 'note', text, status: 'complete' }
}

function answer(messages: ConversationMessage[], record: LogRecord): void {
  const { data } = record
  const call = textOf(data, 'toolCallId')
  if (isDiscarded(record)) {
    // A call that never counted is as if it had not been made.
    const index = messages.findLastIndex(({ role, id }) => role === 'call' && id === call)
    if (index >= 0) messages.splice(index, 1)
    return
  }
  const late = textOf(ourMetadata(data), 'late')
  messages.push({
    ...opened(record),
    id: textOf(data, 'messageId'),
    role: 'tool',
    call,
    text: textOf(data, 'content'),
    outcome: ourMetadata(data)['error'] === undefined ? 'good' : 'failed',
    ...(late !== '' && { late }),
    status: 'complete',
  })
}

function subjectOf({ data }: LogRecord): string {
  return textOf(data, 'messageId') || textOf(data, 'toolCallId')
}

function change(
  messages: ConversationMessage[],
  id: string,
  changed: (message: ConversationMessage) => ConversationMessage,
): void {
  const index = messages.findLastIndex((message) => message.id === id && message.role !== 'tool')
  const message = messages[index]
  if (message) messages[index] = changed(message)
}

function opened(record: LogRecord): MessageBase {
  const { agent, surface, run } = record.origin
  return {
    id: '',
    text: '',
    seq: record.seq,
    ts: record.ts,
    ...(agent ? { agent } : {}),
    ...(surface ? { surface } : {}),
    ...(run ? { run } : {}),
    status: 'open',
  }
}

export function promptMessage(record: LogRecord): SpokenMessage {
  const text = textOf(record.data, 'description')
  return { ...opened(record), id: record.id, role: 'user', text, status: 'complete' }
}
