import type { AgentEventType } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { WireEvent } from './wire-event.ts'

/** How an event belongs to an item: its kind, the member that names it, and the type that ends it. */
interface Part {
  readonly kind: string
  readonly key: string
  readonly end: AgentEventType
  readonly role: 'opens' | 'continues' | 'closes'
}

const TEXT = { kind: 'text', key: 'messageId', end: 'TEXT_MESSAGE_END' } as const
const CALL = { kind: 'call', key: 'toolCallId', end: 'TOOL_CALL_END' } as const
const SPAN = { kind: 'span', key: 'messageId', end: 'REASONING_END' } as const
const THOUGHT = { kind: 'thought', key: 'messageId', end: 'REASONING_MESSAGE_END' } as const
const STEP = { kind: 'step', key: 'stepName', end: 'STEP_FINISHED' } as const
const SUBAGENT = { kind: 'subagent', key: 'subagentRunId', end: 'SUBAGENT_FINISHED' } as const

/** A map, as the type of an event may be the name of a member that every object has. */
const PARTS: ReadonlyMap<string, Part> = new Map(
  Object.entries<Part>({
    TEXT_MESSAGE_START: { ...TEXT, role: 'opens' },
    TEXT_MESSAGE_CONTENT: { ...TEXT, role: 'continues' },
    TEXT_MESSAGE_END: { ...TEXT, role: 'closes' },
    TOOL_CALL_START: { ...CALL, role: 'opens' },
    TOOL_CALL_ARGS: { ...CALL, role: 'continues' },
    TOOL_CALL_END: { ...CALL, role: 'closes' },
    REASONING_START: { ...SPAN, role: 'opens' },
    REASONING_END: { ...SPAN, role: 'closes' },
    REASONING_MESSAGE_START: { ...THOUGHT, role: 'opens' },
    REASONING_MESSAGE_CONTENT: { ...THOUGHT, role: 'continues' },
    REASONING_MESSAGE_END: { ...THOUGHT, role: 'closes' },
    STEP_STARTED: { ...STEP, role: 'opens' },
    STEP_FINISHED: { ...STEP, role: 'closes' },
    SUBAGENT_STARTED: { ...SUBAGENT, role: 'opens' },
    SUBAGENT_FINISHED: { ...SUBAGENT, role: 'closes' },
    SUBAGENT_ERROR: { ...SUBAGENT, role: 'closes' },
  }),
)

interface OpenItem {
  readonly part: Part
  readonly start: WireEvent
}

/**
 * The items of a run that have started and not ended on the wire. A role may see one half of an item
 * only: the other half is left out or added, since clients refuse a stream with half an item.
 */
export class OpenItems {
  readonly #open = new Map<string, OpenItem>()

  /** The events that started the open items, in their order. */
  get starts(): readonly WireEvent[] {
    return Array.from(this.#open.values(), ({ start }) => start)
  }

  /** The events to send for one event: itself, none when it fits no open item, or more that it closes. */
  take(event: WireEvent): readonly WireEvent[] {
    const part = PARTS.get(event.type)
    if (!part) return [event]
    const key = keyOf(event, part)
    if (part.role === 'opens') {
      if (this.#open.has(key)) return []
      const start = this.#withKnownParent(event)
      this.#open.set(key, { part, start })
      return [start]
    }
    if (!this.#open.has(key)) return []
    if (part.role === 'continues') return [event]
    const inside = part.kind === 'subagent' ? this.#closeOwned(event) : []
    this.#open.delete(key)
    return [...inside, event]
  }

  /** Closes all that is open, the last first. */
  closeAll(timestamp: number): readonly WireEvent[] {
    return this.#close(() => true, timestamp)
  }

  #closeOwned({ subagentRunId, timestamp }: WireEvent): readonly WireEvent[] {
    const isOwned = ({ part, start }: OpenItem): boolean =>
      part.kind !== 'subagent' && start['subagentRunId'] === subagentRunId
    return this.#close(isOwned, timestamp)
  }

  #close(closes: (item: OpenItem) => boolean, timestamp: number | undefined): readonly WireEvent[] {
    const closed = [...this.#open].filter(([, item]) => closes(item)).toReversed()
    return closed.map(([key, { part, start }]) => {
      this.#open.delete(key)
      const { subagentRunId } = start
      return {
        type: part.end,
        [part.key]: start[part.key],
        ...(subagentRunId === undefined ? {} : { subagentRunId }),
        ...(timestamp === undefined ? {} : { timestamp }),
      }
    })
  }

  /** A sub-agent below one that was never announced has no parent on the wire. */
  #withKnownParent(event: WireEvent): WireEvent {
    const { parentSubagentRunId: parent, ...others } = event
    if (typeof parent !== 'string' || this.#open.has(`subagent ${parent}`)) return event
    return others
  }
}

function keyOf(event: WireEvent, { kind, key }: Part): string {
  const id = textOf(event, key)
  // Two agents may be at a step of one name at once.
  return kind === 'step' ? `step ${textOf(event, 'subagentRunId')} ${id}` : `${kind} ${id}`
}
