import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { Interrupt, Message, RunFinishedOutcome } from '@ag-ui/core'
import {
  AguiMessages,
  NO_PAUSES,
  customValue,
  foldPauses,
  isAgentEventType,
  ownerOf,
  turnOf,
} from '../../activity/index.ts'
import { whyReserved } from '../../domain/index.ts'
import { membersOf, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'
import type { FollowedState, View } from '../view.ts'
import { EncodedRun, success } from './encoded-run.ts'
import type { SeenRecord } from './encoded-run.ts'
import { holdsSameMessages, replacedHistoryEvents } from './messages-snapshot.ts'
import { stateDeltaEvents, stateSnapshotEvents } from './state-events.ts'
import { applyTo, customWireEvent, wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

export interface ThreadEncoderParts {
  readonly view: Pick<View, 'record'>
  /** Whether turns and messages of a surface, or of no surface, are encoded. */
  readonly includes: (surface: string | undefined) => boolean
}

/** How a run begins on the wire. */
export interface RunOpening {
  /** The client's id of the run; by default the one that the record names. */
  readonly runId?: string
  /** The new messages that begin the turn. */
  readonly messages: readonly Message[]
  /** The client's messages; when they are not the thread's history, the run begins with a snapshot. */
  readonly history?: readonly Message[] | undefined
}

/**
 * Reads the records of a thread, in their order, as AG-UI events. Each turn is one run. What an event
 * says depends on the records before it, so a reader that joins late takes those first.
 */
export class ThreadEncoder {
  readonly #parts: ThreadEncoderParts
  #messages = new AguiMessages()
  /** Calls of tools that the client runs: their results come from the client. */
  readonly #clientCalls = new Set<string>()
  readonly #asked = new Map<string, readonly Interrupt[]>()
  #pauses = NO_PAUSES
  #run: EncodedRun | undefined
  #opening: ReadonlySet<string> = new Set()
  #state: FollowedState | undefined
  #shown: Json = null

  constructor(parts: ThreadEncoderParts) {
    this.#parts = parts
  }

  /** The turn that is at work, if one is. */
  get run(): EncodedRun | undefined {
    return this.#run
  }

  get messages(): readonly Message[] {
    return this.#messages.messages
  }

  /** Sends the state from now on: as it is after the last record that was taken. */
  follow(state: FollowedState): void {
    this.#state = state
    this.#shown = state.state
  }

  /** How a run ends that finds no turn at work: with what the thread waits for. */
  outcome(agent?: string): RunFinishedOutcome {
    const waiting = this.#pauses.waiting.filter(
      ({ surface, owner, cancelledBy }) =>
        this.#parts.includes(surface) &&
        cancelledBy === undefined &&
        (agent === undefined || owner === ownerOf({ agent, surface })),
    )
    const interrupts = waiting.flatMap(({ turn }) => this.#asked.get(turn) ?? [])
    if (interrupts.length > 0) return { type: 'interrupt', interrupts }
    const waits = waiting.flatMap((each) => each.waits)
    return success(
      waits.flatMap(({ reason, toolCallId }) => (reason === 'client_tool' ? [toolCallId] : [])),
    )
  }

  stateSnapshot(timestamp: number | undefined): readonly WireEvent[] {
    return this.#state ? stateSnapshotEvents(this.#shown, { timestamp }) : []
  }

  /** Whether a record begins a turn, rather than a run inside one. */
  beginsTurn(record: LogRecord): boolean {
    if (record.type !== 'RUN_STARTED' || !this.#includes(record)) return false
    return this.#run?.turn !== turnOf(record)
  }

  /** The events of one record. A record that begins a turn has none without an opening. */
  take(stored: LogRecord, opening?: RunOpening): readonly WireEvent[] {
    this.#pauses = foldPauses(this.#pauses, [stored])
    if (!isAgentEventType(stored.type)) return this.#happened(stored)
    if (!this.#includes(stored)) return []
    if (this.beginsTurn(stored)) return this.#begin(stored, opening)
    const seen = { stored, visible: this.#parts.view.record(stored) }
    if (stored.type === 'RUN_STARTED') return []
    const isEnd = stored.type === 'RUN_FINISHED' || stored.type === 'RUN_ERROR'
    return isEnd ? this.#end(seen) : this.#item(seen)
  }

  #includes({ origin }: LogRecord): boolean {
    return this.#parts.includes(origin.surface)
  }

  #begin(record: LogRecord, opening: RunOpening | undefined): readonly WireEvent[] {
    const { data, ts, thread, origin } = record
    const wire = textOf(membersOf(data)['wire'] ?? null, 'runId')
    const runId = opening?.runId ?? (wire || (origin.run ?? ''))
    const unended = this.#run ? [wireEvent('RUN_ERROR', UNENDED, ts)] : []
    this.#run = new EncodedRun(record, runId)
    if (!opening) return []
    this.#opening = new Set(opening.messages.map(({ id }) => id))
    const ids = { threadId: thread, runId }
    const input = { ...ids, tools: [], context: [], messages: [...opening.messages] }
    return [
      ...unended,
      wireEvent('RUN_STARTED', { ...ids, protocolVersion: PROTOCOL_VERSION, input }, ts),
      ...this.#historyFor(opening, ts),
      ...this.stateSnapshot(ts),
    ]
  }

  /** A snapshot of the messages, when the client's are others. */
  #historyFor({ history, messages: added }: RunOpening, ts: number): readonly WireEvent[] {
    if (!history) return []
    const { messages } = this
    const ids = this.#opening
    if (holdsSameMessages(history, messages, { ids, calls: this.#clientCalls })) return []
    const known = new Set(messages.map(({ id }) => id))
    const results = history.filter(
      (each) => each.role === 'tool' && this.#isUnanswered(each.toolCallId, messages),
    )
    const instructions = history.filter(({ role }) => role === 'system' || role === 'developer')
    // A client keeps thoughts that a snapshot does not name, and would add to them.
    const thoughts = history.flatMap((each): readonly Message[] =>
      each.role === 'reasoning' && !known.has(each.id) ? [{ ...each, content: '' }] : [],
    )
    const whole = [...instructions, ...withResults(messages, results), ...thoughts, ...added]
    return replacedHistoryEvents(history, whole, { timestamp: ts })
  }

  #isUnanswered(call: string, messages: readonly Message[]): boolean {
    if (!this.#clientCalls.has(call)) return false
    return !messages.some((each) => each.role === 'tool' && each.toolCallId === call)
  }

  #end(seen: SeenRecord): readonly WireEvent[] {
    const run = this.#run
    if (!run || turnOf(seen.stored) !== run.turn) return []
    const { events, isHandoff, outcome } = run.end(seen)
    if (isHandoff) return events
    this.#run = undefined
    if (outcome?.type === 'interrupt') this.#keepQuestions(run.turn, outcome.interrupts)
    return events
  }

  #keepQuestions(turn: string, interrupts: readonly Interrupt[]): void {
    const waiting = new Set(this.#pauses.waiting.map((each) => each.turn))
    for (const asked of this.#asked.keys()) if (!waiting.has(asked)) this.#asked.delete(asked)
    this.#asked.set(turn, interrupts)
  }

  #item(seen: SeenRecord): readonly WireEvent[] {
    const { stored } = seen
    const wait = customValue(stored, 'wait_for_input')
    if (wait !== undefined && textOf(wait, 'reason') === 'client_tool') {
      this.#clientCalls.add(textOf(wait, 'toolCallId'))
    }
    if (customValue(stored, 'history_reset') !== undefined) this.#messages = new AguiMessages()
    if (isOurs(stored)) return []
    const run = this.#run?.turn === turnOf(stored) ? this.#run : undefined
    const events = run ? run.item(seen) : outsideRuns(seen)
    const known = events.filter((event) => this.#fits(event))
    for (const event of known) applyTo(this.#messages, event)
    return run ? known.filter((event) => !this.#isClients(event)) : []
  }

  /** A result of a call that was never shown means nothing to a client. */
  #fits(event: WireEvent): boolean {
    return (
      event.type !== 'TOOL_CALL_RESULT' ||
      this.#messages.callOf(textOf(event, 'toolCallId')) !== undefined
    )
  }

  /** Whether an event says what the client has sent itself. */
  #isClients(event: WireEvent): boolean {
    if (event.type === 'TOOL_CALL_RESULT') return this.#clientCalls.has(textOf(event, 'toolCallId'))
    return event.type.startsWith('TEXT_') && this.#opening.has(textOf(event, 'messageId'))
  }

  /** An event of the domain, a refusal, or a record of the library's own. */
  #happened(stored: LogRecord): readonly WireEvent[] {
    const before = this.#shown
    this.#state?.take(stored)
    if (this.#state) this.#shown = this.#state.state
    if (!this.#run) return []
    const { ts } = stored
    const deltas = this.#state ? stateDeltaEvents(before, this.#shown, { timestamp: ts }) : []
    const visible = this.#parts.view.record(stored)
    return [...(visible ? saidOf(visible) : []), ...deltas]
  }
}

const UNENDED = { message: 'The run was interrupted', code: 'interrupted' }

/** Whether the engine keeps a record for itself. */
function isOurs({ type, data }: LogRecord): boolean {
  return type === 'CUSTOM' && textOf(data, 'name').startsWith('throughline.')
}

/** A message that is recorded outside runs is history: it has its events and nothing around them. */
function outsideRuns({ stored, visible }: SeenRecord): readonly WireEvent[] {
  if (!visible || !isAgentEventType(stored.type)) return []
  return [{ ...membersOf(visible.data), type: stored.type, timestamp: stored.ts }]
}

function saidOf({ id, type, data, ts }: LogRecord): readonly WireEvent[] {
  if (type === 'event_refused') {
    return [customWireEvent('event_refused', { id, ...membersOf(data) }, ts)]
  }
  return whyReserved(type) === undefined ? [customWireEvent('event', { id, type, data }, ts)] : []
}

/** Puts each result after the message that holds its call. */
function withResults(
  messages: readonly Message[],
  results: readonly Message[],
): readonly Message[] {
  return messages.flatMap((message) => {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
    const own = results.filter(
      (each) => each.role === 'tool' && calls.some(({ id }) => id === each.toolCallId),
    )
    return [message, ...own]
  })
}
