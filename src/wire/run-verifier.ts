import { EventType } from '@ag-ui/core'
import type {
  AGUIEvent,
  AGUIEventOf as EventOf,
  Message,
  ReasoningEncryptedValueEvent,
  RunFinishedEvent,
  RunStartedEvent,
  ToolCallStartEvent,
} from '@ag-ui/core'
import { OwnedItems, nameOf } from './owned-items.ts'
import type { Agent } from './owned-items.ts'
import { Subagents } from './subagents.ts'
import { WireError, outOfOrder } from './wire-error.ts'

/** Items, steps and sub-agents that may be open at a time in one run. */
export const OPEN_ITEMS_MAX = 10_000

/**
 * Checks that events follow each other as AG-UI 1.0 says, over the runs of one stream. Chunk forms must have
 * been expanded before.
 */
export class RunVerifier {
  #stage: 'before' | 'running' | 'finished' | 'failed' = 'before'
  #thread: string | undefined
  #run: string | undefined
  readonly #items = new OwnedItems()
  readonly #subagents = new Subagents()
  /** Steps by the agent that took them: two agents may use one name at once. */
  readonly #steps = new Map<Agent, Set<string>>()

  /** Whether the last run of the stream has ended. */
  get hasEnded(): boolean {
    return this.#stage === 'finished' || this.#stage === 'failed'
  }

  /** @throws {@link WireError} `out_of_order`, `other_run`, `too_many` */
  take(event: AGUIEvent): void {
    const { type } = event
    if (type !== EventType.RUN_STARTED && type !== EventType.RUN_ERROR) this.#requireRunning(type)
    // The table has the check of each type under that type.
    const check = this.#checks[type] as (event: AGUIEvent) => void
    check(event)
    if (OPENING.has(type)) this.#requireRoom()
  }

  readonly #checks: { readonly [Type in EventType]: (event: EventOf<Type>) => void } = {
    RUN_STARTED: (event) => this.#start(event),
    RUN_FINISHED: (event) => this.#finish(event),
    RUN_ERROR: ({ type }) => {
      if (this.#stage === 'failed') throw outOfOrder(type, 'the run has failed already')
      this.#stage = 'failed'
    },
    TEXT_MESSAGE_START: (event) => this.#items.start(event, 'text message', event.messageId),
    TEXT_MESSAGE_CONTENT: (event) => this.#items.continue(event, 'text message', event.messageId),
    TEXT_MESSAGE_END: (event) => this.#items.end(event, 'text message', event.messageId),
    TOOL_CALL_START: (event) => this.#startCall(event),
    TOOL_CALL_ARGS: (event) => this.#items.continue(event, 'tool call', event.toolCallId),
    TOOL_CALL_END: (event) => this.#items.end(event, 'tool call', event.toolCallId),
    TOOL_CALL_RESULT: ({ messageId, subagentRunId }) =>
      this.#items.own('text message', messageId, subagentRunId),
    REASONING_START: (event) => this.#items.start(event, 'reasoning span', event.messageId),
    REASONING_END: (event) => this.#items.end(event, 'reasoning span', event.messageId),
    REASONING_MESSAGE_START: (event) =>
      this.#items.start(event, 'reasoning message', event.messageId),
    REASONING_MESSAGE_CONTENT: (event) =>
      this.#items.continue(event, 'reasoning message', event.messageId),
    REASONING_MESSAGE_END: (event) => this.#items.end(event, 'reasoning message', event.messageId),
    REASONING_ENCRYPTED_VALUE: (event) => this.#requireEntity(event),
    STEP_STARTED: ({ stepName, subagentRunId }) => this.#startStep(stepName, subagentRunId),
    STEP_FINISHED: ({ stepName, subagentRunId }) => this.#finishStep(stepName, subagentRunId),
    SUBAGENT_STARTED: (event) => this.#subagents.start(event),
    SUBAGENT_FINISHED: ({ type, subagentRunId }) => this.#subagents.end(type, subagentRunId),
    SUBAGENT_ERROR: ({ type, subagentRunId }) => this.#subagents.end(type, subagentRunId),
    ACTIVITY_SNAPSHOT: ({ messageId, replace, subagentRunId }) => {
      if (replace === false && this.#items.ownerOf('activity', messageId)) return
      this.#items.own('activity', messageId, subagentRunId)
    },
    ACTIVITY_DELTA: (event) => this.#items.requireOwner(event, 'activity', event.messageId),
    MESSAGES_SNAPSHOT: ({ messages }) => this.#ownMessages(messages, 'again'),
    STATE_SNAPSHOT: () => {},
    STATE_DELTA: () => {},
    CUSTOM: () => {},
    RAW: () => {},
    TEXT_MESSAGE_CHUNK: refuseChunk,
    TOOL_CALL_CHUNK: refuseChunk,
    REASONING_MESSAGE_CHUNK: refuseChunk,
  }

  #requireRunning(type: string): void {
    if (this.#stage === 'running') return
    const states = {
      before: 'the first event must be RUN_STARTED',
      finished: 'the run has finished',
      failed: 'the run has failed',
    }
    throw outOfOrder(type, states[this.#stage])
  }

  #start({ type, threadId, runId, input }: RunStartedEvent): void {
    if (this.#stage === 'running') throw outOfOrder(type, `run "${this.#run}" has not ended`)
    if (this.#thread !== undefined && this.#thread !== threadId) {
      throw otherRun(`thread "${threadId}" after thread "${this.#thread}"`)
    }
    this.#items.clear()
    this.#subagents.clear()
    this.#steps.clear()
    this.#stage = 'running'
    this.#thread = threadId
    this.#run = runId
    if (input) this.#ownMessages(input.messages, 'unless known')
  }

  #finish({ type, threadId, runId, outcome }: RunFinishedEvent): void {
    if (threadId !== this.#thread || runId !== this.#run) {
      throw otherRun(`RUN_FINISHED of run "${runId}" in run "${this.#run}"`)
    }
    const steps = [...this.#steps].flatMap(([agent, names]) =>
      Array.from(names, (name) => `step "${name}" of ${nameOf(agent)}`),
    )
    const open = [...steps, ...this.#items.open, ...this.#subagents.open]
    if (open.length > 0) throw outOfOrder(type, `${open.slice(0, 5).join(', ')} is open`)
    if (outcome?.type === 'interrupt') {
      const ids = outcome.interrupts.map(({ id }) => id)
      if (new Set(ids).size < ids.length) throw outOfOrder(type, 'two interrupts have one id')
    }
    this.#stage = 'finished'
  }

  #startCall(event: ToolCallStartEvent): void {
    const { type, toolCallId, parentMessageId: parentId, subagentRunId } = event
    const parent =
      parentId === undefined ? undefined : this.#items.ownerOf('text message', parentId)
    if (parent && subagentRunId !== undefined && subagentRunId !== parent.agent) {
      throw outOfOrder(type, `message "${parentId}" belongs to ${nameOf(parent.agent)}`)
    }
    const known = this.#items.ownerOf('tool call', toolCallId)
    if (known && parent && subagentRunId === undefined && known.agent !== parent.agent) {
      throw outOfOrder(type, `tool call "${toolCallId}" belongs to ${nameOf(known.agent)}`)
    }
    const agent = subagentRunId ?? parent?.agent
    this.#items.start({ type, subagentRunId: agent }, 'tool call', toolCallId)
  }

  #requireEntity(event: ReasoningEncryptedValueEvent): void {
    const { subtype, entityId: id } = event
    if (subtype === 'tool-call') return this.#items.requireOwner(event, 'tool call', id)
    const kind = this.#items.ownerOf('text message', id) ? 'text message' : 'reasoning message'
    this.#items.requireOwner(event, kind, id)
  }

  #startStep(name: string, agent: Agent): void {
    const names = this.#steps.get(agent) ?? new Set<string>()
    if (names.has(name)) {
      throw outOfOrder(EventType.STEP_STARTED, `step "${name}" of ${nameOf(agent)} is open already`)
    }
    this.#steps.set(agent, names.add(name))
  }

  #finishStep(name: string, agent: Agent): void {
    if (this.#steps.get(agent)?.delete(name)) return
    throw outOfOrder(EventType.STEP_FINISHED, `no step "${name}" of ${nameOf(agent)} is open`)
  }

  #ownMessages(messages: readonly Message[], when: 'again' | 'unless known'): void {
    for (const message of messages) {
      const { id, role } = message
      const agent = message.subagentRunId
      const kind =
        role === 'reasoning' ? 'reasoning message' : role === 'activity' ? role : 'text message'
      if (when === 'again' || !this.#items.ownerOf(kind, id)) this.#items.own(kind, id, agent)
      for (const call of (role === 'assistant' && message.toolCalls) || []) {
        if (when === 'again' || !this.#items.ownerOf('tool call', call.id)) {
          this.#items.own('tool call', call.id, agent)
        }
      }
    }
  }

  #requireRoom(): void {
    let count = this.#items.openCount + this.#subagents.openCount
    for (const names of this.#steps.values()) count += names.size
    if (count <= OPEN_ITEMS_MAX) return
    throw new WireError(
      'too_many',
      `Cannot take more: ${OPEN_ITEMS_MAX} items are open in run "${this.#run}"`,
    )
  }
}

/** Types that open an item; open items are counted after these alone. */
const OPENING: ReadonlySet<string> = new Set([
  EventType.TEXT_MESSAGE_START,
  EventType.TOOL_CALL_START,
  EventType.REASONING_START,
  EventType.REASONING_MESSAGE_START,
  EventType.STEP_STARTED,
  EventType.SUBAGENT_STARTED,
])

function refuseChunk({ type }: { readonly type: string }): never {
  throw outOfOrder(type, 'chunk forms are expanded before')
}

function otherRun(state: string): WireError {
  return new WireError('other_run', `Cannot take the stream as one run: ${state}`)
}
