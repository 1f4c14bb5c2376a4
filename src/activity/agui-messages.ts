import type {
  AGUIEvent,
  AGUIEventOf as EventOf,
  ActivityMessage,
  EventType,
  Message,
  ToolCall,
  ToolCallStartEvent,
} from '@ag-ui/core'
import { PatchError, applyPatch, isJsonObject } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { keepsActivity } from './activity-authority.ts'
import type { ReportFault } from './agui-fault.ts'
import { HeldCall, HeldMessage } from './held-message.ts'
import type { InputFile } from './input-file.ts'

interface Place {
  readonly owner: HeldMessage
  readonly call: HeldCall
}

/** A part of a text or a thought, or its end. */
type TextEvent = EventOf<
  | EventType.TEXT_MESSAGE_CONTENT
  | EventType.TEXT_MESSAGE_END
  | EventType.REASONING_MESSAGE_CONTENT
  | EventType.REASONING_MESSAGE_END
>

/**
 * The messages of a thread, folded from AG-UI events as the stock client places them, on the server as in a
 * page. An event costs the same however many messages there are; a `MESSAGES_SNAPSHOT` alone visits them all.
 */
export class AguiMessages {
  #first: HeldMessage | undefined
  #last: HeldMessage | undefined
  readonly #byId = new Map<string, HeldMessage>()
  readonly #calls = new Map<string, Place>()
  readonly #report: ReportFault
  #shown: readonly Message[] | undefined

  constructor(messages: readonly Message[] = [], report: ReportFault = () => {}) {
    this.#report = report
    this.addUnknown(messages)
  }

  /** The same list, and the same message in it, until it changes. */
  get messages(): readonly Message[] {
    this.#shown ??= Array.from(this.#held(), ({ message }) => message)
    return this.#shown
  }

  callOf(toolCallId: string): ToolCall | undefined {
    return this.#calls.get(toolCallId)?.call.call
  }

  addUnknown(messages: readonly Message[]): void {
    for (const message of messages) if (!this.#byId.has(message.id)) this.#push(message)
  }

  /** Takes any event; one that is of no message changes nothing. */
  take(event: AGUIEvent): void {
    // The table has the change of each type under that type.
    const change = this.#changes[event.type] as ((event: AGUIEvent) => void) | undefined
    change?.(event)
  }

  /** Adds files to what a person wrote; false when the message is no person's. */
  attach(id: string, files: readonly InputFile[]): boolean {
    const message = this.#byId.get(id)
    if (message?.role !== 'user') return false
    message.attach(files)
    this.#changed()
    return true
  }

  readonly #changes: { readonly [Type in EventType]?: (event: EventOf<Type>) => void } = {
    RUN_STARTED: ({ input }) => this.addUnknown(input?.messages ?? []),
    TEXT_MESSAGE_START: (event) => {
      const { messageId: id, role = 'assistant', name } = event
      const named = name !== undefined && { name }
      this.#startText({ id, role, content: '', ...named, ...ownerIn(event) }, event)
    },
    TEXT_MESSAGE_CONTENT: (event) => this.#appendText(event),
    TEXT_MESSAGE_END: (event) => this.#appendText(event),
    REASONING_MESSAGE_START: (event) => {
      const { messageId: id } = event
      this.#startText({ id, role: 'reasoning', content: '', ...ownerIn(event) }, event)
    },
    REASONING_MESSAGE_CONTENT: (event) => this.#appendText(event),
    REASONING_MESSAGE_END: (event) => this.#appendText(event),
    REASONING_ENCRYPTED_VALUE: (event) => this.#encrypt(event),
    TOOL_CALL_START: (event) => this.#startCall(event),
    TOOL_CALL_ARGS: (event) => this.#continueCall(event),
    TOOL_CALL_END: (event) => this.#continueCall(event),
    TOOL_CALL_RESULT: (event) => this.#answerCall(event),
    MESSAGES_SNAPSHOT: (event) => this.#replaceAll(event),
    ACTIVITY_SNAPSHOT: (event) => this.#showActivity(event),
    ACTIVITY_DELTA: (event) => this.#patchActivity(event),
  }

  #startText(message: Message, event: AGUIEvent): void {
    const before = this.#byId.get(message.id)
    if (before?.role === 'activity') return this.#fault('other_message', message.id, event)
    this.#merge(before ?? this.#push(message), event)
  }

  #appendText(event: TextEvent): void {
    const { messageId: id } = event
    const message = this.#byId.get(id)
    if (!message) return this.#fault('unknown_message', id, event)
    if (message.role === 'activity') return this.#fault('other_message', id, event)
    if (hasDelta(event)) message.append(event.delta)
    this.#merge(message, event)
  }

  #startCall(event: ToolCallStartEvent): void {
    const { toolCallId: id, toolCallName: name } = event
    const known = this.#calls.get(id)
    if (known) known.call.rename(name)
    const place =
      known ?? this.#addCall(event, { id, type: 'function', function: { name, arguments: '' } })
    this.#mergeIntoCall(place, event)
  }

  /** Arguments that have come, or their end. */
  #continueCall(event: EventOf<EventType.TOOL_CALL_ARGS | EventType.TOOL_CALL_END>): void {
    const { toolCallId: id } = event
    const place = this.#calls.get(id)
    if (!place) return this.#fault('unknown_call', id, event)
    if (hasDelta(event)) place.call.append(event.delta)
    this.#mergeIntoCall(place, event)
  }

  /** A result goes after the message that holds its call and the results that are there already. */
  #answerCall(event: EventOf<EventType.TOOL_CALL_RESULT>): void {
    const { messageId: id, toolCallId, content, metadata } = event
    const owner = this.#calls.get(toolCallId)?.owner
    if (!owner) this.#fault('unknown_call', toolCallId, event)
    const message: Message = {
      id,
      toolCallId,
      role: 'tool',
      // A role's view may leave it out.
      content: content ?? '',
      ...ownerIn(event),
      ...(metadata !== undefined && { metadata }),
    }
    const before = this.#byId.get(id)
    if (before && !isResultOf(before.message, toolCallId)) {
      return this.#fault('other_message', id, event)
    }
    if (before) before.become(message)
    else this.#insert(message, owner && lastResultAfter(owner))
    this.#changed()
  }

  #encrypt(event: EventOf<EventType.REASONING_ENCRYPTED_VALUE>): void {
    const { subtype, entityId: id, encryptedValue } = event
    if (subtype === 'message') {
      const message = this.#byId.get(id)
      if (!message) return this.#fault('unknown_message', id, event)
      message.encrypt(encryptedValue)
      return this.#changed()
    }
    const place = this.#calls.get(id)
    if (!place) return this.#fault('unknown_call', id, event)
    place.call.encrypt(encryptedValue)
    return this.#touch(place.owner)
  }

  /** The messages of the snapshot, in the order of those that are there already. */
  #replaceAll(event: EventOf<EventType.MESSAGES_SNAPSHOT>): void {
    const given = new Map(event.messages.map((message) => [message.id, message]))
    const stays = (message: Message): boolean =>
      message.role === 'activity'
        ? keepsActivity(event, message)
        : message.role === 'reasoning' && !event.messages.some(({ role }) => role === 'reasoning')
    const kept = this.messages.filter((message) => given.has(message.id) || stays(message))
    const keptIds = new Set(kept.map(({ id }) => id))
    const added = [...given.values()].filter(({ id }) => !keptIds.has(id))
    this.#rebuild([...kept.map((message) => given.get(message.id) ?? message), ...added])
  }

  #showActivity(event: EventOf<EventType.ACTIVITY_SNAPSHOT>): void {
    const { messageId: id, activityType, content, replace = true } = event
    const before = this.#byId.get(id)
    const activity: ActivityMessage = {
      id,
      role: 'activity',
      activityType,
      content: content ?? {},
      ...ownerIn(event),
    }
    if (!before) return this.#merge(this.#push(activity), event)
    if (!replace) return before.role === 'activity' ? this.#merge(before, event) : undefined
    const { role, calls } = before
    const { metadata } = before.message
    const isSame = role === 'activity' && metadata !== undefined
    before.become(isSame ? { ...activity, metadata } : activity)
    this.#changed()
    if (calls.length > 0) this.#rebuild(this.messages)
    return this.#merge(this.#byId.get(id) ?? before, event)
  }

  #patchActivity(event: EventOf<EventType.ACTIVITY_DELTA>): void {
    const { messageId: id, activityType, patch } = event
    const before = this.#byId.get(id)
    if (!before) return this.#fault('unknown_message', id, event)
    if (before.role === 'activity') this.#merge(before, event)
    const { message } = before
    if (message.role !== 'activity') return this.#fault('other_message', id, event)
    try {
      // Both have come as JSON.
      const content = applyPatch(message.content as Json, patch as Json)
      if (!isJsonObject(content))
        throw new PatchError('Cannot apply the patch: it leaves no object')
      before.become({ ...message, content, activityType })
    } catch (cause) {
      if (!(cause instanceof PatchError)) throw cause
      this.#report({ code: 'misfit', message: cause.message, event, cause })
    }
    return this.#changed()
  }

  *#held(): Generator<HeldMessage> {
    for (let each = this.#first; each; each = each.next) yield each
  }

  #addCall(event: ToolCallStartEvent, call: ToolCall): Place {
    const owner = this.#ownerOf(event)
    const place = { owner, call: new HeldCall(call) }
    owner.add(place.call)
    this.#calls.set(call.id, place)
    return place
  }

  /** The message that a call names; a new one without text where that is none of an assistant. */
  #ownerOf(event: ToolCallStartEvent): HeldMessage {
    const { toolCallId, parentMessageId } = event
    const named = parentMessageId ? this.#byId.get(parentMessageId) : undefined
    if (named?.role === 'assistant') return named
    const id = named ? toolCallId : parentMessageId || toolCallId
    return this.#push({ id, role: 'assistant', ...ownerIn(event) })
  }

  #push(message: Message): HeldMessage {
    return this.#insert(message, this.#last)
  }

  #insert(message: Message, after: HeldMessage | undefined): HeldMessage {
    const held = new HeldMessage(message)
    const before = after ?? this.#last
    if (before) {
      held.next = before.next
      before.next = held
    } else this.#first = held
    if (before === this.#last) this.#last = held
    if (!this.#byId.has(held.id)) this.#byId.set(held.id, held)
    for (const call of held.calls) {
      if (!this.#calls.has(call.id)) this.#calls.set(call.id, { owner: held, call })
    }
    this.#changed()
    return held
  }

  #rebuild(messages: readonly Message[]): void {
    this.#first = undefined
    this.#last = undefined
    this.#byId.clear()
    this.#calls.clear()
    this.#changed()
    for (const message of messages) this.#push(message)
  }

  #merge(message: HeldMessage, { metadata }: AGUIEvent): void {
    if (isJsonObject(metadata)) message.merge(metadata)
    this.#changed()
  }

  #mergeIntoCall({ owner, call }: Place, { metadata }: AGUIEvent): void {
    if (isJsonObject(metadata)) call.merge(metadata)
    this.#touch(owner)
  }

  #touch(owner: HeldMessage): void {
    owner.touch()
    this.#changed()
  }

  #changed(): void {
    this.#shown = undefined
  }

  #fault(code: keyof typeof STATES, id: string, event: AGUIEvent): void {
    this.#report({ code, message: `Cannot apply ${event.type} to "${id}": ${STATES[code]}`, event })
  }
}

const STATES = {
  unknown_call: 'there is no such tool call',
  unknown_message: 'there is no such message',
  other_message: 'it is a message of another kind',
}

function ownerIn({ subagentRunId }: { readonly subagentRunId?: string }) {
  return subagentRunId !== undefined && { subagentRunId }
}

/** The end of a text has none, and a record may hold anything. */
function hasDelta(event: object): event is { readonly delta: string } {
  return 'delta' in event && typeof event.delta === 'string'
}

function isResultOf(message: Message, toolCallId: string): boolean {
  return message.role === 'tool' && message.toolCallId === toolCallId
}

function lastResultAfter(owner: HeldMessage): HeldMessage {
  let last = owner
  while (last.next?.role === 'tool') last = last.next
  return last
}
