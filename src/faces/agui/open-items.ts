import { ITEMS, itemEventOf, itemKey } from '../../activity/index.ts'
import type { ItemEvent, ItemKind } from '../../activity/index.ts'
import type { WireEvent } from './wire-event.ts'

interface OpenItem {
  readonly kind: ItemKind
  readonly start: WireEvent
}

/**
 * The items of a run that have started and not ended on the wire. A role may see one half of an item
 * only: the other half is left out or added, since clients refuse a stream with half an item.
 */
export class OpenItems {
  readonly #open = new Map<string, OpenItem>()
  #latest: ItemEvent | undefined

  /** The events that started the open items, in their order. */
  get starts(): readonly WireEvent[] {
    return Array.from(this.#open.values(), ({ start }) => start)
  }

  /** The events to send for one event: itself, none when it fits no open item, or more that it closes. */
  take(event: WireEvent): readonly WireEvent[] {
    const item = itemEventOf(event.type, event, this.#latest)
    if (!item) return [event]
    this.#latest = item
    const { kind, role, key } = item
    if (role === 'opens') {
      if (this.#open.has(key)) return []
      const start = this.#withKnownParent(event)
      this.#open.set(key, { kind, start })
      return [start]
    }
    if (!this.#open.has(key)) return []
    if (role === 'continues') return [event]
    const inside = kind === 'sub-agent' ? this.#closeOwned(event) : []
    this.#open.delete(key)
    return [...inside, event]
  }

  /** Closes all that is open, the last first. */
  closeAll(timestamp: number): readonly WireEvent[] {
    return this.#close(() => true, timestamp)
  }

  #closeOwned({ subagentRunId, timestamp }: WireEvent): readonly WireEvent[] {
    const isOwned = ({ kind, start }: OpenItem): boolean =>
      kind !== 'sub-agent' && start['subagentRunId'] === subagentRunId
    return this.#close(isOwned, timestamp)
  }

  #close(
    isClosed: (item: OpenItem) => boolean,
    timestamp: number | undefined,
  ): readonly WireEvent[] {
    const closed = [...this.#open].filter(([, item]) => isClosed(item)).toReversed()
    return closed.map(([key, { kind, start }]) => {
      this.#open.delete(key)
      const { subagentRunId } = start
      const { closes: type, id } = ITEMS[kind]
      return {
        type,
        [id]: start[id],
        ...(subagentRunId === undefined ? {} : { subagentRunId }),
        ...(timestamp === undefined ? {} : { timestamp }),
      }
    })
  }

  /** A sub-agent below one that was never announced has no parent on the wire. */
  #withKnownParent(event: WireEvent): WireEvent {
    const { parentSubagentRunId: parent, ...others } = event
    if (typeof parent !== 'string' || this.#open.has(itemKey('sub-agent', parent))) return event
    return others
  }
}
