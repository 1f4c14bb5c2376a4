import type {
  AGUIEvent,
  AGUIEventOf as EventOf,
  CustomEvent,
  EventType,
  Interrupt,
  Message,
  RawEvent,
  RunErrorEvent,
  RunFinishedEvent,
  RunStartedEvent,
  StateDeltaEvent,
  ToolCall,
} from '@ag-ui/core'
import { assert } from '../assert/index.ts'
import { PatchError, applyPatch } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { AguiMessages } from '../activity/index.ts'
import type { ReportFault } from '../activity/index.ts'
import { OpenParts, sameList } from './open-parts.ts'
import type { AguiThreadView, RunState } from './run-state.ts'
import { SubagentTree } from './subagent-tree.ts'

export interface ThreadFoldOptions {
  /** The page's messages and state before the first event. */
  readonly messages?: readonly Message[]
  readonly state?: Json
  /** Learns what an event could not do. */
  readonly onFault?: ReportFault
  /** Handlers of `CUSTOM` events by their name, of `RAW` events by their source; `*` gets all others. */
  readonly custom?: Readonly<Record<string, (event: CustomEvent) => void>>
  readonly raw?: Readonly<Record<string, (event: RawEvent) => void>>
}

/**
 * Folds AG-UI events into what a page shows of a thread. The events must have been verified and their chunk
 * forms expanded, as `StreamVerifier` does. An event costs the same however long the thread is; the view is
 * made when it is read.
 */
export class ThreadFold {
  readonly #options: ThreadFoldOptions
  readonly #messages: AguiMessages
  readonly #subagents = new SubagentTree()
  readonly #open = new OpenParts()
  #state: Json
  #isStateCurrent = true
  #run: RunState = { status: 'idle' }
  #interrupts: readonly Interrupt[] = []
  /** Calls that this run has started and not answered, in order. */
  readonly #unanswered = new Set<string>()
  #pending: readonly string[] = []
  #pendingCalls: readonly ToolCall[] = []
  #view: AguiThreadView<Json> | undefined

  constructor(options: ThreadFoldOptions = {}) {
    this.#options = options
    this.#state = options.state ?? {}
    this.#messages = new AguiMessages(options.messages ?? [], (fault) => options.onFault?.(fault))
  }

  /** The same object until an event changes it. */
  get view(): AguiThreadView<Json> {
    this.#view ??= {
      run: this.#run,
      state: this.#state,
      isStateCurrent: this.#isStateCurrent,
      messages: this.#messages.messages,
      ...this.#open.view,
      subagents: this.#subagents.roots,
      interrupts: this.#interrupts,
      pendingCalls: this.#callsPending(),
    }
    return this.#view
  }

  get run(): RunState {
    return this.#run
  }

  take(event: AGUIEvent): void {
    this.#messages.take(event)
    // The table has the reducer of each type under that type.
    const reduce = this.#reducers[event.type] as ((event: AGUIEvent) => void) | undefined
    reduce?.(event)
    this.#open.take(event)
    this.#view = undefined
  }

  /** Adds messages of the person and results of the client's tools, before they are sent. */
  add(messages: readonly Message[]): void {
    this.#messages.addUnknown(messages)
    const answered = new Set(messages.map((each) => (each.role === 'tool' ? each.toolCallId : '')))
    this.#pending = this.#pending.filter((id) => !answered.has(id))
    this.#view = undefined
  }

  /** Moves the run where no event does: the request begins, or the stream breaks. */
  moveTo(run: RunState): void {
    this.#run = run
    this.#open.begin()
    this.#view = undefined
  }

  /** What events change beside the messages and the open items. */
  readonly #reducers: { readonly [Type in EventType]?: (event: EventOf<Type>) => void } = {
    RUN_STARTED: (event) => this.#start(event),
    RUN_FINISHED: (event) => this.#finish(event),
    RUN_ERROR: (event) => this.#fail(event),
    TOOL_CALL_START: ({ toolCallId }) => this.#unanswered.add(toolCallId),
    TOOL_CALL_RESULT: ({ toolCallId }) => this.#unanswered.delete(toolCallId),
    STATE_SNAPSHOT: ({ snapshot }) => {
      // It has come as JSON.
      this.#state = snapshot as Json
      this.#isStateCurrent = true
    },
    STATE_DELTA: (event) => this.#patchState(event),
    SUBAGENT_STARTED: (event) => this.#subagents.start(event),
    SUBAGENT_FINISHED: (event) => this.#subagents.finish(event),
    SUBAGENT_ERROR: (event) => this.#subagents.fail(event),
    CUSTOM: (event) => handlerOf(this.#options.custom, event.name)?.(event),
    RAW: (event) => handlerOf(this.#options.raw, event.source)?.(event),
    TEXT_MESSAGE_CHUNK: refuseChunk,
    TOOL_CALL_CHUNK: refuseChunk,
    REASONING_MESSAGE_CHUNK: refuseChunk,
  }

  #start({ runId }: RunStartedEvent): void {
    this.#run = { status: 'running', runId }
    this.#open.begin()
    this.#unanswered.clear()
    this.#pending = []
  }

  #finish({ runId, outcome, result, usage }: RunFinishedEvent): void {
    this.#open.end()
    const ended = { runId, ...(usage !== undefined && { usage }) }
    this.#interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : []
    this.#pending = this.#pendingAfter(outcome)
    if (outcome?.type === 'interrupt') {
      this.#run = { status: 'interrupted', interrupts: outcome.interrupts, ...ended }
    } else if (outcome?.type === 'cancelled') {
      this.#run = { status: 'cancelled', ...ended }
    } else {
      this.#run = { status: 'finished', ...(result !== undefined && { result }), ...ended }
    }
  }

  #fail({ message, code, usage }: RunErrorEvent): void {
    this.#open.end()
    const { runId } = { runId: undefined, ...this.#run }
    this.#run = {
      status: 'failed',
      ...(runId !== undefined && { runId }),
      message,
      ...(code !== undefined && { code }),
      ...(usage !== undefined && { usage }),
    }
  }

  /** The calls that the run names, else its unanswered calls without those that wait for an approval. */
  #pendingAfter(outcome: RunFinishedEvent['outcome']): readonly string[] {
    if (outcome?.type === 'cancelled') return []
    const named = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
    if (named.length > 0) return named
    const gated = new Set(this.#interrupts.map(({ toolCallId }) => toolCallId))
    return [...this.#unanswered].filter((id) => !gated.has(id))
  }

  #callsPending(): readonly ToolCall[] {
    const calls = this.#pending.flatMap((id) => this.#messages.callOf(id) ?? [])
    this.#pendingCalls = sameList(this.#pendingCalls, calls)
    return this.#pendingCalls
  }

  #patchState(event: StateDeltaEvent): void {
    try {
      // It has come as JSON.
      this.#state = applyPatch(this.#state, event.delta as Json)
    } catch (cause) {
      if (!(cause instanceof PatchError)) throw cause
      this.#isStateCurrent = false
      this.#options.onFault?.({ code: 'misfit', message: cause.message, event, cause })
    }
  }
}

function handlerOf<Handler>(
  handlers: Readonly<Record<string, Handler>> | undefined,
  name = '*',
): Handler | undefined {
  if (!handlers) return undefined
  return Object.hasOwn(handlers, name) ? handlers[name] : handlers['*']
}

function refuseChunk({ type }: { readonly type: string }): never {
  assert(false, `Cannot fold ${type}: chunk forms are expanded before`)
}
