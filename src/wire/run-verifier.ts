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
import { itemEventOf } from '../activity/index.ts'
import type { ItemEvent } from '../activity/index.ts'
import { OwnedItems, nameOf } from './owned-items.ts'
import type { Claim } from './owned-items.ts'
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
  #latest: ItemEvent | undefined

  /** Whether the last run of the stream has ended. */
  get hasEnded(): boolean {
    return this.#stage === 'finished' || this.#stage === 'failed'
  }

  /** @throws {@link WireError} `out_of_order`, `other_run`, `too_many` */
  take(event: AGUIEvent): void {
    const { type } = event
    if (type !== EventType.RUN_STARTED && type !== EventType.RUN_ERROR) this.#requireRunning(type)
    const item = itemEventOf(type, event, this.#latest)
    if (item) return this.#takeItem(event, item)
    // The table has the check of each type under that type.
    const check = this.#checks[type] as ((event: AGUIEvent) => void) | undefined
    check?.(event)
  }

  /** The checks of events that are of no item. */
  readonly #checks: { readonly [Type in EventType]?: (event: EventOf<Type>) => void } = {
    RUN_STARTED: (event) => this.#start(event),
    RUN_FINISHED: (event) => this.#finish(event),
    RUN_ERROR: ({ type }) => {
      if (this.#stage === 'failed') throw outOfOrder(type, 'the run has failed already')
      this.#stage = 'failed'
    },
    TOOL_CALL_RESULT: ({ messageId, subagentRunId }) =>
      this.#items.own('text message', messageId, subagentRunId),
    REASONING_ENCRYPTED_VALUE: (event) => this.#requireEntity(event),
    ACTIVITY_SNAPSHOT: ({ messageId, replace, subagentRunId }) => {
      if (replace === false && this.#items.ownerOf('activity', messageId)) return
      this.#items.own('activity', messageId, subagentRunId)
    },
    ACTIVITY_DELTA: (event) => this.#items.requireOwner(event, 'activity', event.messageId),
    MESSAGES_SNAPSHOT: ({ messages }) => this.#ownMessages(messages, 'again'),
    TEXT_MESSAGE_CHUNK: refuseChunk,
    TOOL_CALL_CHUNK: refuseChunk,
    REASONING_MESSAGE_CHUNK: refuseChunk,
  }

  #takeItem(event: AGUIEvent, item: ItemEvent): void {
    this.#latest = item
    if (event.type === EventType.SUBAGENT_STARTED) this.#items.announce(event)
    const claim = event.type === EventType.TOOL_CALL_START ? this.#claimOf(event) : event
    this.#items.take(claim, item)
    if (item.role !== 'opens' || this.#items.openCount <= OPEN_ITEMS_MAX) return
    throw new WireError(
      'too_many',
      `Cannot take more: ${OPEN_ITEMS_MAX} items are open in run "${this.#run}"`,
    )
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
    this.#stage = 'running'
    this.#thread = threadId
    this.#run = runId
    if (input) this.#ownMessages(input.messages, 'unless known')
  }

  #finish({ type, threadId, runId, outcome }: RunFinishedEvent): void {
    if (threadId !== this.#thread || runId !== this.#run) {
      throw otherRun(`RUN_FINISHED of run "${runId}" in run "${this.#run}"`)
    }
    const { open } = this.#items
    if (open.length > 0) throw outOfOrder(type, `${open.slice(0, 5).join(', ')} is open`)
    if (outcome?.type === 'interrupt') {
      const ids = outcome.interrupts.map(({ id }) => id)
      if (new Set(ids).size < ids.length) throw outOfOrder(type, 'two interrupts have one id')
    }
    this.#stage = 'finished'
  }

  /** A call belongs to the agent of its message, where it names none. */
  #claimOf(event: ToolCallStartEvent): Claim {
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
    return { type, subagentRunId: subagentRunId ?? parent?.agent }
  }

  #requireEntity(event: ReasoningEncryptedValueEvent): void {
    const { subtype, entityId: id } = event
    if (subtype === 'tool-call') return this.#items.requireOwner(event, 'tool call', id)
    const kind = this.#items.ownerOf('text message', id) ? 'text message' : 'reasoning message'
    this.#items.requireOwner(event, kind, id)
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
}

function refuseChunk({ type }: { readonly type: string }): never {
  throw outOfOrder(type, 'chunk forms are expanded before')
}

function otherRun(state: string): WireError {
  return new WireError('other_run', `Cannot take the stream as one run: ${state}`)
}
