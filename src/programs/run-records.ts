import type { AGUIEvent, AGUIEventOf as EventOf, EventType, Message } from '@ag-ui/core'
import { LastText } from '../activity/index.ts'
import type { ProgramStepRequest } from '../agents/index.ts'
import { startOf } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import type { NewEvent } from '../log/index.ts'
import { customTagged } from '../step/index.ts'
import { Activities } from './activities.ts'
import { Calls } from './calls.ts'
import { Ids, requireId } from './ids.ts'
import { Items } from './items.ts'
import type { Owner } from './items.ts'
import { REMOTE_MESSAGE_CHARS_MAX } from './limits.ts'
import type { ProgramFault } from './mend.ts'
import { Owners } from './owners.ts'
import { PROPOSE, Proposals } from './proposals.ts'
import { isRecordable } from './recordable.ts'
import { RemoteState } from './remote-state.ts'
import { unstreamedMessages } from './snapshot-messages.ts'

export interface RunRecordsParts {
  readonly runId: string
  readonly state: Json
  /** The program's own messages and calls keep their ids. */
  readonly keepsIds: boolean
  readonly put: (event: NewEvent) => void
  readonly warn: (fault: ProgramFault) => void
  /** Gets each state that the program reports, instead of the record of it. */
  readonly stateChanged?: ((state: Json) => void) | undefined
}

/**
 * Turns the verified events of a program's run into records: under ids of this thread, in the agent's name,
 * its sub-agents one level down. Whatever the program sends, its records are AG-UI in order, and none of them
 * is one that the engine writes for itself.
 */
export class RunRecords {
  readonly #request: ProgramStepRequest
  readonly #parts: RunRecordsParts
  readonly #ids: Ids
  readonly #items = new Items((event) => this.#put(event))
  readonly #activities: Activities
  readonly root: Owner
  readonly owners: Owners
  readonly calls: Calls
  readonly proposals: Proposals
  readonly state: RemoteState
  /** Our ids of messages, by the program's. */
  readonly #messages = new Map<string, Placed>()
  readonly #thoughts = new Map<string, Placed>()
  /** The event in the words of the program's framework, for the record that the event becomes. */
  #raw: { readonly type: string; readonly rawEvent: unknown } | undefined
  /** The streamed text of this run, by the program's ids of the messages. */
  readonly #streamed = new Map<string, string>()
  #snapshot: readonly Message[] = []
  /** Of the program itself. */
  readonly #said = new LastText()

  constructor(request: ProgramStepRequest, parts: RunRecordsParts) {
    const { warn, keepsIds } = parts
    this.#request = request
    this.#parts = parts
    this.#ids = new Ids(parts.runId, keepsIds ? request.takenIds : undefined)
    this.root = { origin: request.origin, isOpen: true }
    const shared = { root: this.root, items: this.#items, ids: this.#ids, warn }
    this.calls = new Calls(shared, request, { keepsIds })
    this.owners = new Owners(shared, this.calls)
    this.#activities = new Activities(shared, this.calls)
    this.proposals = new Proposals(request)
    this.state = new RemoteState(parts.state, warn, parts.stateChanged)
  }

  get said(): string {
    return this.#said.text.trim()
  }

  take(event: AGUIEvent): void {
    // The table has the entry of each type under that type.
    const take = this.#table[event.type] as (event: AGUIEvent) => void
    const { type, rawEvent } = event
    this.#raw = this.#fits(rawEvent) ? { type, rawEvent } : undefined
    take(event)
    this.#raw = undefined
  }

  #put(event: NewEvent): void {
    if (this.#raw?.type !== event.type) return this.#parts.put(event)
    const { rawEvent } = this.#raw
    this.#raw = undefined
    // The schema has read it, and each record of a program is an object.
    const data = { ...(event.data as JsonObject), rawEvent: rawEvent as Json }
    this.#parts.put({ ...event, data })
  }

  /** Records the messages of the program that came in its last snapshot only. */
  takeSnapshot(): void {
    const { messages: before } = this.#request
    const unstreamed = unstreamedMessages(this.#snapshot, before, this.#streamed)
    for (const { messageId, text } of unstreamed) {
      this.#startText({ messageId })
      this.#say({ messageId, delta: text })
      this.#endText(messageId)
    }
  }

  readonly #table: { readonly [Type in EventType]: (event: EventOf<Type>) => void } = {
    RUN_STARTED: () => {},
    RUN_FINISHED: () => {},
    RUN_ERROR: () => {},
    MESSAGES_SNAPSHOT: ({ messages }) => {
      this.#snapshot = messages
    },
    TEXT_MESSAGE_CHUNK: () => {},
    TOOL_CALL_CHUNK: () => {},
    REASONING_MESSAGE_CHUNK: () => {},
    STATE_SNAPSHOT: ({ snapshot }) => this.state.replace(snapshot as Json),
    STATE_DELTA: ({ delta }) => this.state.change(delta as unknown as Json),
    TEXT_MESSAGE_START: (event) => this.#startText(event),
    TEXT_MESSAGE_CONTENT: (event) => this.#say(event),
    TEXT_MESSAGE_END: ({ messageId }) => this.#endText(messageId),
    TOOL_CALL_START: (event) => this.#startCall(event),
    TOOL_CALL_ARGS: ({ toolCallId, delta }) => this.#known(this.calls.argue(toolCallId, delta)),
    TOOL_CALL_END: ({ toolCallId }) => this.#items.end('tool call', toolCallId),
    TOOL_CALL_RESULT: (event) => this.calls.answer(event),
    REASONING_START: (event) => this.#startSpan(event),
    REASONING_END: ({ messageId }) => this.#items.end('reasoning span', messageId),
    REASONING_MESSAGE_START: (event) => this.#startThought(event),
    REASONING_MESSAGE_CONTENT: ({ messageId, delta }) =>
      this.#known(this.#items.add('reasoning message', messageId, delta)),
    REASONING_MESSAGE_END: ({ messageId }) => this.#items.end('reasoning message', messageId),
    REASONING_ENCRYPTED_VALUE: (event) => this.#encrypt(event),
    STEP_STARTED: ({ stepName, subagentRunId }) => this.#startStep(stepName, subagentRunId),
    STEP_FINISHED: ({ stepName, subagentRunId }) =>
      this.#items.end('step', stepKey(stepName, subagentRunId)),
    SUBAGENT_STARTED: (event) => this.owners.start(event),
    SUBAGENT_FINISHED: (event) => this.#endSubagent(event),
    SUBAGENT_ERROR: (event) => this.#failSubagent(event),
    ACTIVITY_SNAPSHOT: (event) => this.#activities.show(event, this.owners.of(event.subagentRunId)),
    ACTIVITY_DELTA: (event) => this.#activities.change(event),
    RAW: (event) => this.#keepRaw(event),
    CUSTOM: (event) => this.#custom(event),
  }

  /** A program speaks for itself only: words in another's name are left out. */
  #startText({
    messageId,
    role = 'assistant',
    subagentRunId,
  }: Pick<EventOf<EventType.TEXT_MESSAGE_START>, 'messageId' | 'role' | 'subagentRunId'>): void {
    if (role !== 'assistant') return this.#parts.warn('foreign_role')
    const owner = this.owners.of(subagentRunId)
    const id = this.#idFor(messageId, owner)
    this.#messages.set(messageId, { id, owner })
    this.#streamed.set(messageId, this.#streamed.get(messageId) ?? '')
    if (owner === this.root) this.#said.begin(id)
    this.#items.start(messageId, { kind: 'text message', id, owner }, { role: 'assistant' })
  }

  /** The conversations of sub-agents are not kept, so an id that they use again would not be noticed. */
  #idFor(wanted: string, owner: Owner): string {
    return owner === this.root ? this.#ids.own(wanted) : this.#ids.fresh(wanted)
  }

  #say({
    messageId,
    delta,
  }: Pick<EventOf<EventType.TEXT_MESSAGE_CONTENT>, 'messageId' | 'delta'>): void {
    const item = this.#items.find('text message', messageId)
    this.#items.add('text message', messageId, delta)
    this.#streamed.set(messageId, (this.#streamed.get(messageId) ?? '') + delta)
    if (item?.owner === this.root) this.#said.add(item.id, delta)
  }

  #endText(messageId: string): void {
    const item = this.#items.find('text message', messageId)
    if (item) this.#said.end(item.id)
    this.#items.end('text message', messageId)
  }

  #startCall(event: EventOf<EventType.TOOL_CALL_START>): void {
    const { parentMessageId: parent, subagentRunId } = event
    const message = parent === undefined ? undefined : this.#holder(parent, subagentRunId)
    const owner = message?.owner.isOpen ? message.owner : this.owners.of(subagentRunId)
    this.calls.start(event, owner, message?.owner === owner ? message.id : undefined)
  }

  /** The message of a call. One that says nothing begins with the call. */
  #holder(parent: string, subagentRunId: string | undefined): Placed | undefined {
    const known = this.#messages.get(parent)
    if (known || !this.#parts.keepsIds || subagentRunId !== undefined) return known
    const placed = { id: this.#ids.own(parent), owner: this.root }
    this.#messages.set(parent, placed)
    return placed
  }

  #startSpan({ messageId, subagentRunId }: EventOf<EventType.REASONING_START>): void {
    const owner = this.owners.of(subagentRunId)
    const id = this.#ids.fresh(messageId)
    this.#items.start(messageId, { kind: 'reasoning span', id, owner })
  }

  #startThought({ messageId, subagentRunId }: EventOf<EventType.REASONING_MESSAGE_START>): void {
    const owner = this.owners.of(subagentRunId)
    const id = this.#idFor(messageId, owner)
    this.#thoughts.set(messageId, { id, owner })
    this.#items.start(messageId, { kind: 'reasoning message', id, owner }, { role: 'reasoning' })
  }

  #startStep(name: string, subagentRunId: string | undefined): void {
    const owner = this.owners.of(subagentRunId)
    // The step of ours that is open has a name without a slash.
    const id = `${this.#request.stepName}/${requireId(name)}`
    this.#items.start(stepKey(name, subagentRunId), { kind: 'step', id, owner })
  }

  /** The owner of the item owns the value too, whatever the event says. */
  #encrypt(event: EventOf<EventType.REASONING_ENCRYPTED_VALUE>): void {
    const { subtype, entityId, encryptedValue } = event
    const entity =
      subtype === 'tool-call' ? this.calls.placeOf(entityId) : this.#thoughts.get(entityId)
    if (!entity?.owner.isOpen) return this.#parts.warn('stray_event')
    if (!this.#fits(encryptedValue)) return
    const value = { subtype, entityId: entity.id, encryptedValue }
    this.#items.record('REASONING_ENCRYPTED_VALUE', value, entity.owner)
  }

  #endSubagent({ subagentRunId, result }: EventOf<EventType.SUBAGENT_FINISHED>): void {
    const told = this.#fits(result) ? { result } : {}
    this.owners.end(subagentRunId, ['SUBAGENT_FINISHED', { ...told, outcome: { type: 'success' } }])
  }

  #failSubagent({ subagentRunId, message, code }: EventOf<EventType.SUBAGENT_ERROR>): void {
    const why = startOf(message, REMOTE_MESSAGE_CHARS_MAX)
    // The engine writes codes of its own, such as "cancelled", and reads them again.
    const named = code === undefined ? 'remote_error' : `remote:${startOf(code, 64)}`
    this.owners.end(subagentRunId, ['SUBAGENT_ERROR', { message: why, code: named }])
  }

  #keepRaw({ event, source, subagentRunId }: EventOf<EventType.RAW>): void {
    if (!this.#fits(event)) return
    const from = source === undefined ? {} : { source: requireId(source) }
    this.#items.record('RAW', { event, ...from }, this.owners.of(subagentRunId))
  }

  #custom({ name, value, subagentRunId }: EventOf<EventType.CUSTOM>): void {
    const owner = this.owners.of(subagentRunId)
    if (name === PROPOSE) return this.proposals.take(value as Json)
    if (!this.#fits(value)) return
    const custom = { name: requireId(name), value: value as Json }
    // These names are the engine's own: they must not come from outside.
    const isReserved = name.toLowerCase().startsWith('throughline.')
    if (isReserved) this.#items.put(customTagged('remote_event', custom, owner.origin))
    else this.#items.record('CUSTOM', custom, owner)
  }

  #fits(value: unknown): boolean {
    if (value === undefined) return false
    const fits = isRecordable(value)
    if (!fits) this.#parts.warn('value_too_large')
    return fits
  }

  #known(isKnown: boolean): void {
    if (!isKnown) this.#parts.warn('stray_event')
  }
}

interface Placed {
  readonly id: string
  readonly owner: Owner
}

/** Two agents may be at a step of one name at once. */
function stepKey(name: string, subagentRunId: string | undefined): string {
  return JSON.stringify([name, subagentRunId ?? null])
}
