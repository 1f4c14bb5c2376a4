import { aggregateTokenUsage } from '@ag-ui/core'
import type { RunFinishedOutcome, TokenUsage } from '@ag-ui/core'
import { ourMetadata, outcomeOf, turnOf } from '../../activity/index.ts'
import type { AgentEventType } from '../../activity/index.ts'
import { membersOf, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { hiddenInterrupts, listIn, pendingCalls, wireInterrupts } from './interrupts.ts'
import { OpenItems } from './open-items.ts'
import { boundOutcome } from './tanstack-binding.ts'
import { customWireEvent, storedEvent, wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

/** Types of a run's records that are never sent: the face makes its own, or a client must not have them. */
const WITHHELD: ReadonlySet<string> = new Set<AgentEventType>([
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'MESSAGES_SNAPSHOT',
  'TEXT_MESSAGE_CHUNK',
  'TOOL_CALL_CHUNK',
  'REASONING_MESSAGE_CHUNK',
])

/** A record as it is stored, and as a role sees it. */
export interface SeenRecord {
  readonly stored: LogRecord
  readonly visible: LogRecord | undefined
}

export interface RunEnd {
  readonly events: readonly WireEvent[]
  /** The turn goes on: the run was handed over. */
  readonly isHandoff: boolean
  /** Absent when the run failed. */
  readonly outcome?: RunFinishedOutcome
}

/** One turn as one run on the wire: hand-offs stay inside it. */
export class EncodedRun {
  readonly turn: string
  runId: string
  readonly #thread: string
  readonly #items = new OpenItems()
  /** The message that carries the tool calls of a run's current step, by run. */
  readonly #carriers = new Map<string, string>()
  readonly #usage: TokenUsage[] = []

  constructor(started: LogRecord, runId: string) {
    this.turn = turnOf(started)
    this.runId = runId
    this.#thread = started.thread
  }

  get openStarts(): readonly WireEvent[] {
    return this.#items.starts
  }

  /** The events of a record that neither begins nor ends the run. */
  item({ stored, visible }: SeenRecord): readonly WireEvent[] {
    const { type } = stored
    if (!visible || WITHHELD.has(type)) return []
    // The caller has asked whether it is one.
    const event = storedEvent(type as AgentEventType, visible)
    return this.#items.take(this.#completed(event, stored.origin.run ?? ''))
  }

  end({ stored, visible }: SeenRecord): RunEnd {
    const { ts } = stored
    const data = visible?.data ?? {}
    this.#usage.push(...usageIn(data))
    if (textOf(ourMetadata(stored.data), 'handoffTo') !== '') return handoff({ stored, visible })
    const { metadata, result } = membersOf(data)
    const shared = {
      ...(this.#usage.length > 0 ? { usage: aggregateTokenUsage(this.#usage) } : {}),
      ...(metadata === undefined ? {} : { metadata }),
    }
    if (stored.type === 'RUN_ERROR') {
      const message = textOf(data, 'message') || 'The run failed'
      const code = textOf(data, 'code')
      const error = { message, ...(code === '' ? {} : { code }), ...shared }
      return { events: [wireEvent('RUN_ERROR', error, ts)], isHandoff: false }
    }
    const outcome = wireOutcome({ stored, visible })
    const given = { ...(result === undefined ? {} : { result }), ...shared }
    const ids = { threadId: this.#thread, runId: this.runId }
    const finished = { ...ids, outcome: boundOutcome(outcome, this.runId), ...given }
    const events = [...this.#items.closeAll(ts), wireEvent('RUN_FINISHED', finished, ts)]
    return { events, isHandoff: false, outcome }
  }

  /** Adds what clients rely on and a record may lack. */
  #completed(event: WireEvent, run: string): WireEvent {
    switch (event.type) {
      case 'STEP_STARTED':
        this.#carriers.delete(run)
        return event
      case 'TEXT_MESSAGE_START': {
        const { role = 'assistant' } = event
        if (role === 'assistant') this.#carriers.set(run, textOf(event, 'messageId'))
        return { ...event, role }
      }
      case 'TOOL_CALL_START':
        return this.#withParent(event, run)
      default:
        return event
    }
  }

  /** Every call names its message: the step's text, or one without text for all calls of the step. */
  #withParent(event: WireEvent, run: string): WireEvent {
    if (event['parentMessageId'] !== undefined) return event
    const carrier = this.#carriers.get(run) ?? `${textOf(event, 'toolCallId')}_message`
    this.#carriers.set(run, carrier)
    return { ...event, parentMessageId: carrier }
  }
}

function handoff({ stored, visible }: SeenRecord): RunEnd {
  const to = visible ? textOf(ourMetadata(visible.data), 'handoffTo') : ''
  const from = visible?.origin.agent ?? ''
  const events = to === '' ? [] : [customWireEvent('handoff', { from, to }, stored.ts)]
  return { events, isHandoff: true }
}

/** The outcome by the stored record; a role that may not see a question learns only that there is one. */
function wireOutcome({ stored, visible }: SeenRecord): RunFinishedOutcome {
  const storedOutcome = membersOf(stored.data)['outcome'] ?? null
  const shown = membersOf(visible?.data ?? null)['outcome'] ?? null
  const type = outcomeOf(stored)
  if (type === 'cancelled') return { type }
  if (type === 'interrupt') {
    const seen = wireInterrupts(shown)
    const interrupts = seen.length > 0 ? seen : hiddenInterrupts(storedOutcome)
    if (interrupts.length > 0) return { type, interrupts: [...interrupts] }
  }
  return success(pendingCalls(shown))
}

export function success(pendingToolCallIds: readonly string[]): RunFinishedOutcome {
  if (pendingToolCallIds.length === 0) return { type: 'success' }
  return { type: 'success', pendingToolCallIds: [...pendingToolCallIds] }
}

function usageIn(data: Json): readonly TokenUsage[] {
  // Written by the engine in AG-UI's shape.
  return listIn(membersOf(data)['usage']) as readonly TokenUsage[]
}
