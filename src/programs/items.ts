import { ITEMS, agentEvent } from '../activity/index.ts'
import type { AgentEventType, ItemForm, ItemKind } from '../activity/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import { subagentMark } from '../step/index.ts'
import type { Ids } from './ids.ts'
import { REMOTE_DELTA_CHARS_MAX } from './limits.ts'
import type { ProgramFault } from './mend.ts'

/** The program itself or one of its sub-agents, by their place in our tree. */
export interface Owner {
  readonly origin: Origin & { readonly run: string }
  /** Absent for the program itself. */
  readonly parent?: Owner
  isOpen: boolean
}

/** Shared by all that records one stream. */
export interface StreamParts {
  readonly root: Owner
  readonly ids: Ids
  readonly items: Items
  readonly warn: (fault: ProgramFault) => void
}

interface Item {
  readonly kind: ItemKind
  /** Our id. */
  readonly id: string
  readonly owner: Owner
}

/** The open items of a program's stream, by the program's ids. */
export class Items {
  readonly put: (event: NewEvent) => void
  readonly #open = new Map<string, Item>()

  constructor(put: (event: NewEvent) => void) {
    this.put = put
  }

  record(type: AgentEventType, members: Readonly<Record<string, unknown>>, owner: Owner): void {
    this.put(itemEvent(type, members, owner))
  }

  open(name: string, item: Item): void {
    this.#open.set(`${item.kind} ${name}`, item)
  }

  /** Opens an item and puts its start on record. */
  start(name: string, item: Item, more: Readonly<Record<string, unknown>> = {}): void {
    const { kind, id, owner } = item
    this.open(name, item)
    this.record(ITEMS[kind].opens, { [ITEMS[kind].id]: id, ...more }, owner)
  }

  find(kind: ItemKind, name: string): Item | undefined {
    return this.#open.get(`${kind} ${name}`)
  }

  /** Puts a delta on record; false when the item is not open any more. */
  add(kind: ItemKind, name: string, delta: string): boolean {
    const item = this.find(kind, name)
    const { id: member, continues }: ItemForm = ITEMS[kind]
    if (!item || !continues) return false
    const { id, owner } = item
    for (const part of partsOf(delta)) this.record(continues, { [member]: id, delta: part }, owner)
    return true
  }

  /** Ends an item, if it is open. */
  end(kind: ItemKind, name: string): void {
    this.#end(`${kind} ${name}`)
  }

  /** Ends all items of an owner, the last first. */
  endAllOf(owner: Owner): void {
    for (const [key, item] of [...this.#open].toReversed()) {
      if (item.owner === owner) this.#end(key)
    }
  }

  #end(key: string): void {
    const item = this.#open.get(key)
    if (!item) return
    this.#open.delete(key)
    const { id: member, closes } = ITEMS[item.kind]
    this.record(closes, { [member]: item.id }, item.owner)
  }
}

/** A delta in parts that fit a record, none of which ends in half a character. */
function* partsOf(delta: string): Generator<string, void> {
  for (let at = 0; at < delta.length;) {
    const end = at + REMOTE_DELTA_CHARS_MAX
    const isHalf = end < delta.length && /[\uD800-\uDBFF]/.test(delta.charAt(end - 1))
    yield delta.slice(at, isHalf ? end - 1 : end)
    at = isHalf ? end - 1 : end
  }
}

/** An event of AG-UI with our ids, marked as a sub-agent's where it is one's. */
export function itemEvent(
  type: AgentEventType,
  members: Readonly<Record<string, unknown>>,
  { origin }: Owner,
): NewEvent {
  // Its members are those of a verified event of the same type.
  return agentEvent(type, { ...members, ...subagentMark(origin) } as never, origin)
}
