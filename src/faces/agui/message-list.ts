import type { ActivityMessage, Message, ToolCall, UserMessage } from '@ag-ui/core'
import { filesIn } from '../../activity/index.ts'
import type { AgentEventType } from '../../activity/index.ts'
import type { Json } from '../../json/index.ts'
import { isJsonObject, membersOf, textOf } from '../../json/index.ts'
import { contentOf } from './content-text.ts'
import type { WireEvent } from './wire-event.ts'

interface Draft {
  id: string
  role: string
  content?: string | Json
  toolCalls?: ToolCallDraft[]
  [member: string]: unknown
}

interface ToolCallDraft {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  [member: string]: unknown
}

const MESSAGE_CHANGES: ReadonlySet<string> = new Set<AgentEventType>([
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
])

const CALL_EVENTS: ReadonlySet<string> = new Set<AgentEventType>([
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
])

/** The messages that a client of AG-UI holds after it has applied events. */
export class MessageList {
  readonly #messages: Draft[] = []
  readonly #byId = new Map<string, Draft>()
  readonly #calls = new Map<string, { readonly call: ToolCallDraft; readonly owner: Draft }>()

  /** The messages in the order in which clients hold them; an open message has its text so far. */
  get messages(): readonly Message[] {
    return this.#messages.map(copied)
  }

  clear(): void {
    this.#messages.length = 0
    this.#byId.clear()
    this.#calls.clear()
  }

  hasCall(toolCallId: string): boolean {
    return this.#calls.has(toolCallId)
  }

  apply(event: WireEvent): void {
    const { type } = event
    if (type === 'TEXT_MESSAGE_START' || type === 'REASONING_MESSAGE_START') this.#start(event)
    else if (MESSAGE_CHANGES.has(type)) this.#append(event)
    else if (CALL_EVENTS.has(type)) this.#takeCall(event)
    else if (type === 'TOOL_CALL_RESULT') this.#answer(event)
    else if (type === 'REASONING_ENCRYPTED_VALUE') this.#encrypt(event)
    else if (type === 'ACTIVITY_SNAPSHOT') this.#showActivity(event)
  }

  #start(event: WireEvent): void {
    const role = textOf(event, 'role') || 'reasoning'
    const id = textOf(event, 'messageId')
    const before = this.#byId.get(id)
    if (before) return withMetadata(before, event)
    const { name } = event
    const ofName = name === undefined ? {} : { name }
    const message: Draft = { id, role, content: '', ...ofName, ...subagentIn(event) }
    this.#add(message)
    withMetadata(message, event)
  }

  #append(event: WireEvent): void {
    const message = this.#byId.get(textOf(event, 'messageId'))
    if (!message) return
    if (message.role === 'user') return this.#appendWritten(message, event)
    const delta = textOf(event, 'delta')
    const content = typeof message.content === 'string' ? message.content : ''
    // The end of a message has none.
    if (delta !== '') message.content = content + delta
    withMetadata(message, event)
  }

  /** A client reads the files of a person in the content; twice they would cost their bytes twice. */
  #appendWritten(message: Draft, event: WireEvent): void {
    // Of a user's message nothing else is ever put there.
    const before = (message.content ?? '') as UserMessage['content']
    message.content = contentOf(before, event) as string | Json
    if (filesIn(event).length === 0) withMetadata(message, event)
  }

  #takeCall(event: WireEvent): void {
    const found = this.#calls.get(textOf(event, 'toolCallId'))
    if (!found) return event.type === 'TOOL_CALL_START' ? this.#startCall(event) : undefined
    found.call.function.arguments += textOf(event, 'delta')
    withMetadata(found.call, event)
  }

  #startCall(event: WireEvent): void {
    const id = textOf(event, 'toolCallId')
    const owner = this.#ownerOf(event)
    const call: ToolCallDraft = {
      id,
      type: 'function',
      function: { name: textOf(event, 'toolCallName'), arguments: '' },
    }
    owner.toolCalls = [...(owner.toolCalls ?? []), call]
    this.#calls.set(id, { call, owner })
    withMetadata(call, event)
  }

  /** The message that holds a call; a message without text where there is none yet. */
  #ownerOf(event: WireEvent): Draft {
    const parent = textOf(event, 'parentMessageId')
    const existing = this.#byId.get(parent)
    if (existing?.role === 'assistant') return existing
    const id = existing || parent === '' ? textOf(event, 'toolCallId') : parent
    const message: Draft = { id, role: 'assistant', ...subagentIn(event) }
    this.#add(message)
    return message
  }

  /** A result goes after the message that holds its call and the results that are there already. */
  #answer(event: WireEvent): void {
    const { toolCallId, content } = event
    const message: Draft = {
      id: textOf(event, 'messageId'),
      toolCallId,
      role: 'tool',
      content: content ?? '',
      ...subagentIn(event),
    }
    withMetadata(message, event)
    const owner = this.#calls.get(textOf(event, 'toolCallId'))?.owner
    // The newest messages are at the end.
    const at = owner ? this.#messages.lastIndexOf(owner) + 1 : this.#messages.length
    let place = at
    while (this.#messages[place]?.role === 'tool') place++
    this.#messages.splice(place, 0, message)
    this.#byId.set(message.id, message)
  }

  #encrypt(event: WireEvent): void {
    const { subtype, encryptedValue } = event
    const id = textOf(event, 'entityId')
    const target = subtype === 'tool-call' ? this.#calls.get(id)?.call : this.#byId.get(id)
    if (target && target['role'] !== 'activity') target['encryptedValue'] = encryptedValue
  }

  #showActivity(event: WireEvent): void {
    const { activityType, content, replace } = event
    const id = textOf(event, 'messageId')
    const before = this.#byId.get(id)
    if (before && replace === false) return
    const message: Draft = {
      id,
      role: 'activity',
      activityType,
      content: content ?? {},
      ...subagentIn(event),
    }
    if (!before) this.#add(message)
    else Object.assign(before, message)
    withMetadata(before ?? message, event)
  }

  #add(message: Draft): void {
    this.#messages.push(message)
    this.#byId.set(message.id, message)
  }
}

/** Each message is built of events in the shape that AG-UI gives it, so a copy of a draft is one. */
function copied(draft: Draft): Message {
  const calls = draft.toolCalls?.map((call) => ({ ...call, function: { ...call.function } }))
  const copy: unknown = { ...draft, ...(calls && { toolCalls: calls as readonly ToolCall[] }) }
  return copy as Exclude<Message, ActivityMessage>
}

function subagentIn({ subagentRunId }: WireEvent): { readonly subagentRunId?: Json } {
  return subagentRunId === undefined ? {} : { subagentRunId }
}

/** The metadata of an event is merged into its message or call, by its own keys. */
function withMetadata(target: { [member: string]: unknown }, event: WireEvent): void {
  const { metadata } = event
  if (!isJsonObject(metadata)) return
  // Metadata is only ever put there by this function.
  const before = membersOf((target['metadata'] ?? null) as Json)
  target['metadata'] = { ...before, ...metadata }
}
