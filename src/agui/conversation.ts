import type { LogRecord } from '../log/index.ts'
import { customValue, membersOf, ourMetadata, textOf } from './agent-event.ts'
import { isDiscarded } from './discarded-call.ts'
import { isResume } from './waiting.ts'

interface MessageBase {
  readonly id: string
  readonly text: string
  /** Where its first record stands in the thread. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly ts: number
  readonly agent?: string
  readonly surface?: string
  readonly run?: string
  readonly status: 'open' | 'complete'
}

/** What a person or an agent said. */
export interface SpokenMessage extends MessageBase {
  readonly role: 'user' | 'assistant'
}

/** What the model is told besides what people write; people do not see it. */
export interface NoteMessage extends MessageBase {
  readonly role: 'note'
}

/** What a model thought. `encrypted` is the provider's own form of it, to be given back unread. */
export interface ReasoningMessage extends MessageBase {
  readonly role: 'reasoning'
  readonly encrypted?: string
}

/** A tool call; its text is the arguments, as JSON. */
export interface ToolCallMessage extends MessageBase {
  readonly role: 'call'
  readonly name: string
  readonly encrypted?: string
}

/** What a tool call came to. */
export interface ToolMessage extends MessageBase {
  readonly role: 'tool'
  readonly call: string
  readonly failed: boolean
}

export type ConversationMessage =
  | SpokenMessage
  | NoteMessage
  | ReasoningMessage
  | ToolCallMessage
  | ToolMessage

/** The utterances of a thread: at its top, and in each sub-agent's run that has not ended, by run. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[]
  readonly nested: Readonly<Record<string, readonly ConversationMessage[]>>
  /** The ids of all tool calls that were ever made in the thread: none is used again. */
  readonly calls: readonly string[]
}

export const EMPTY_CONVERSATION: Conversation = { messages: [], nested: {}, calls: [] }

/** Whether a message is one that people said or were told. */
export function isSpoken(message: ConversationMessage): message is SpokenMessage {
  return message.role === 'user' || message.role === 'assistant'
}

/** Folds the records of agents into the messages of a thread; others leave it as it is. Pure. */
export function foldConversation(
  conversation: Conversation,
  records: Iterable<LogRecord>,
): Conversation {
  let folding: Folding | undefined
  for (const record of records) {
    if (!concerns(record)) continue
    folding ??= new Folding(conversation)
    folding.take(record)
  }
  return folding ? folding.done() : conversation
}

const CONCERNING = /^(TEXT_MESSAGE|TOOL_CALL|REASONING|SUBAGENT|RUN)_/

function concerns(record: LogRecord): boolean {
  if (record.type === 'CUSTOM') {
    return ['note', 'history_reset', 'history_compacted'].some(
      (name) => customValue(record, name) !== undefined,
    )
  }
  return CONCERNING.test(record.type) || noteOf(record) !== undefined
}

function noteOf(record: LogRecord): string | undefined {
  const note = customValue(record, 'note')
  if (typeof note === 'string') return note
  if (record.type !== 'event_refused' || record.origin.source !== 'model') return undefined
  const { data } = record
  return `[Your event was refused: ${textOf(data, 'type')} (${textOf(data, 'reason')}: ${textOf(data, 'detail')})]`
}

/** One pass over some records, on copies of the lists that it changes. */
class Folding {
  #messages: ConversationMessage[] | undefined
  readonly #before: Conversation
  #nested = new Map<string, ConversationMessage[] | undefined>()
  readonly #calls: string[] = []

  constructor(before: Conversation) {
    this.#before = before
  }

  done(): Conversation {
    const { messages, nested, calls } = this.#before
    return {
      messages: this.#messages ?? messages,
      nested: this.#nested.size === 0 ? nested : this.#nestedAfter(),
      calls: this.#calls.length === 0 ? calls : [...calls, ...this.#calls],
    }
  }

  take(record: LogRecord): void {
    const { run = '' } = record.origin
    switch (record.type) {
      case 'SUBAGENT_STARTED':
        this.#begin(record)
        return
      case 'SUBAGENT_FINISHED':
        // Whoever it is handed over to takes it with it.
        if (!isSuspension(record) && !isHandoff(record)) this.#nested.set(run, undefined)
        return
      case 'RUN_STARTED':
        if (!isResume(record)) this.#forgetNested()
        return
      case 'SUBAGENT_ERROR':
        this.#nested.set(run, undefined)
        return
      default: {
        if (record.type === 'TOOL_CALL_START') this.#calls.push(textOf(record.data, 'toolCallId'))
        const list = record.origin.depth === 0 ? this.#top() : this.#of(run)
        if (list) foldInto(list, record)
      }
    }
  }

  #begin(record: LogRecord): void {
    const { run = '' } = record.origin
    if (this.#of(run)) return
    const taken = this.#takeOver(record)
    if (taken) {
      this.#nested.set(run, taken)
      return
    }
    const text = textOf(record.data, 'description')
    const prompt = { ...opened(record), id: record.id, role: 'user', text } as const
    this.#nested.set(run, [{ ...prompt, status: 'complete' }])
  }

  /** The conversation of the sub-agent that hands over to the one that starts, if one does. */
  #takeOver({ origin }: LogRecord): ConversationMessage[] | undefined {
    const { call, parentRun } = origin
    const lists = new Map<string, readonly ConversationMessage[] | undefined>([
      ...Object.entries(this.#before.nested),
      ...this.#nested,
    ])
    // The caller that asks anew made that call as well, and keeps what it said.
    lists.delete(parentRun ?? '')
    for (const [run, list] of lists) {
      if (!list?.some(({ role, id }) => role === 'call' && id === call)) continue
      this.#nested.set(run, undefined)
      return [...list]
    }
    return undefined
  }

  /** What sub-agents of earlier turns left: nobody goes on with it any more. */
  #forgetNested(): void {
    const left = Object.keys(this.#before.nested).map((run) => [run, undefined] as const)
    this.#nested = new Map(left)
  }

  #top(): ConversationMessage[] {
    return (this.#messages ??= [...this.#before.messages])
  }

  #of(run: string): ConversationMessage[] | undefined {
    if (this.#nested.has(run)) return this.#nested.get(run)
    const before = this.#before.nested[run]
    if (!before) return undefined
    const copy = [...before]
    this.#nested.set(run, copy)
    return copy
  }

  #nestedAfter(): Conversation['nested'] {
    const after: Record<string, readonly ConversationMessage[]> = { ...this.#before.nested }
    for (const [run, list] of this.#nested) {
      if (list) after[run] = list
      else delete after[run]
    }
    return after
  }
}

function isSuspension(record: LogRecord): boolean {
  return textOf(membersOf(record.data)['outcome'] ?? null, 'type') === 'suspended'
}

function isHandoff({ data }: LogRecord): boolean {
  return textOf(ourMetadata(data), 'handoffTo') !== ''
}

function foldInto(messages: ConversationMessage[], record: LogRecord): void {
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

function startedMessage(record: LogRecord): ConversationMessage {
  const { type, data } = record
  const id = subjectOf(record)
  if (type === 'TOOL_CALL_START') {
    return { ...opened(record), id, name: textOf(data, 'toolCallName'), role: 'call' }
  }
  if (type === 'REASONING_MESSAGE_START') return { ...opened(record), id, role: 'reasoning' }
  return { ...opened(record), id, role: textOf(data, 'role') === 'user' ? 'user' : 'assistant' }
}

function encryptedAs(message: ConversationMessage, { data }: LogRecord): ConversationMessage {
  const has = message.role === 'reasoning' || message.role === 'call'
  return has ? { ...message, encrypted: textOf(data, 'encryptedValue') } : message
}

/** What AG-UI has no event for: notes, a history that begins anew, a history that was shortened. */
function foldOurs(messages: ConversationMessage[], record: LogRecord): void {
  const note = noteOf(record)
  if (note !== undefined) messages.push(noteMessage(record, note))
  if (customValue(record, 'history_reset') !== undefined) messages.length = 0
  const compacted = customValue(record, 'history_compacted')
  if (compacted === undefined) return
  const through = Number(membersOf(compacted)['through'])
  const kept = messages.filter(({ seq }) => seq > through)
  messages.length = 0
  // It stands where the last message stood that it sums up: before all that are kept.
  messages.push({ ...noteMessage(record, textOf(compacted, 'summary')), seq: through }, ...kept)
}

function noteMessage(record: LogRecord, text: string): NoteMessage {
  return { ...opened(record), id: record.id, role: 'note', text, status: 'complete' }
}

function toolMessage(record: LogRecord): ToolMessage {
  return {
    ...opened(record),
    id: textOf(record.data, 'messageId'),
    role: 'tool',
    call: textOf(record.data, 'toolCallId'),
    text: textOf(record.data, 'content'),
    failed: ourMetadata(record.data)['error'] !== undefined,
    status: 'complete',
  }
}

/** A call that never counted is as if it had not been made. */
function answer(messages: ConversationMessage[], record: LogRecord): void {
  if (!isDiscarded(record)) {
    messages.push(toolMessage(record))
    return
  }
  const call = textOf(record.data, 'toolCallId')
  const index = messages.findLastIndex(({ role, id }) => role === 'call' && id === call)
  if (index >= 0) messages.splice(index, 1)
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
