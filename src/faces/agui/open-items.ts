import type { AgentEventType } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { WireEvent } from './wire-event.ts'

interface Pair {
  readonly kind: string
  readonly key: string
  readonly role: 'opens' | 'continues' | 'closes'
}

const pairs = (kind: string, key: string, types: readonly (AgentEventType | undefined)[]) =>
  types.flatMap((type, at): readonly (readonly [string, Pair])[] => {
    const role = (['opens', 'continues', 'closes'] as const)[at] ?? 'continues'
    return type === undefined ? [] : [[type, { kind, key, role }]]
  })

const PAIRS: ReadonlyMap<string, Pair> = new Map([
  ...pairs('text', 'messageId', ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END']),
  ...pairs('call', 'toolCallId', ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END']),
  ...pairs('span', 'messageId', ['REASONING_START', undefined, 'REASONING_END']),
  ...pairs('thought', 'messageId', [
    'REASONING_MESSAGE_START',
    'REASONING_MESSAGE_CONTENT',
    'REASONING_MESSAGE_END',
  ]),
  ...pairs('step', 'stepName', ['STEP_STARTED', undefined, 'STEP_FINISHED']),
  ...pairs('subagent', 'subagentRunId', ['SUBAGENT_STARTED', undefined, 'SUBAGENT_FINISHED']),
  ...pairs('subagent', 'subagentRunId', [undefined, undefined, 'SUBAGENT_ERROR']),
])

const CLOSES: Readonly<Record<string, AgentEventType>> = {
  text: 'TEXT_MESSAGE_END',
  call: 'TOOL_CALL_END',
  span: 'REASONING_END',
  thought: 'REASONING_MESSAGE_END',
  step: 'STEP_FINISHED',
  subagent: 'SUBAGENT_FINISHED',
}

interface OpenItem {
  readonly pair: Pair
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
    const pair = PAIRS.get(event.type)
    if (!pair) return [event]
    const key = keyOf(event, pair)
    if (pair.role === 'opens') {
      if (this.#open.has(key)) return []
      const start = this.#withKnownParent(event)
      this.#open.set(key, { pair, start })
      return [start]
    }
    if (!this.#open.has(key)) return []
    if (pair.role === 'continues') return [event]
    const inside = pair.kind === 'subagent' ? this.#closeOwned(event) : []
    this.#open.delete(key)
    return [...inside, event]
  }

  /** Closes all that is open, the last first. */
  closeAll(timestamp: number): readonly WireEvent[] {
    return this.#close(() => true, timestamp)
  }

  #closeOwned({ subagentRunId, timestamp }: WireEvent): readonly WireEvent[] {
    const isOwned = ({ pair, start }: OpenItem): boolean =>
      pair.kind !== 'subagent' && start['subagentRunId'] === subagentRunId
    return this.#close(isOwned, timestamp)
  }

  #close(closes: (item: OpenItem) => boolean, timestamp: number | undefined): readonly WireEvent[] {
    const closed = [...this.#open].filter(([, item]) => closes(item)).toReversed()
    return closed.map(([key, { pair, start }]) => {
      this.#open.delete(key)
      const { subagentRunId } = start
      const type = CLOSES[pair.kind] ?? 'STEP_FINISHED'
      return {
        type,
        [pair.key]: start[pair.key],
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

function keyOf(event: WireEvent, { kind, key }: Pair): string {
  const id = textOf(event, key)
  // Two agents may be at a step of one name at once.
  return kind === 'step' ? `step ${textOf(event, 'subagentRunId')} ${id}` : `${kind} ${id}`
}
