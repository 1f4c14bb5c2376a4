import { agentEvent } from '../activity/index.ts'
import type { AgentEventType } from '../activity/index.ts'
import type { NewEvent } from '../log/index.ts'
import { subagentMark } from '../step/index.ts'
import { REMOTE_DELTA_CHARS_MAX } from './limits.ts'
import type { Owner } from './owners.ts'

export type ItemKind = 'text' | 'call' | 'span' | 'thought' | 'step'

const FORMS: Readonly<
  Record<
    ItemKind,
    { readonly key: string; readonly content?: AgentEventType; readonly end: AgentEventType }
  >
> = {
  text: { key: 'messageId', content: 'TEXT_MESSAGE_CONTENT', end: 'TEXT_MESSAGE_END' },
  call: { key: 'toolCallId', content: 'TOOL_CALL_ARGS', end: 'TOOL_CALL_END' },
  span: { key: 'messageId', end: 'REASONING_END' },
  thought: {
    key: 'messageId',
    content: 'REASONING_MESSAGE_CONTENT',
    end: 'REASONING_MESSAGE_END',
  },
  step: { key: 'stepName', end: 'STEP_FINISHED' },
}

/** Something open of a program's: a message, a call, a thought, a step. */
export interface Item {
  readonly kind: ItemKind
  /** Our id. */
  readonly id: string
  readonly owner: Owner
}

/** The open items of a program's stream, by the program's ids. */
export class Items {
  readonly #put: (event: NewEvent) => void
  readonly #open = new Map<string, Item>()

  constructor(put: (event: NewEvent) => void) {
    this.#put = put
  }

  open(name: string, item: Item): void {
    this.#open.set(`${item.kind} ${name}`, item)
  }

  find(kind: ItemKind, name: string): Item | undefined {
    return this.#open.get(`${kind} ${name}`)
  }

  /** Puts a delta on record; false when the item is not open any more. */
  add(kind: ItemKind, name: string, delta: string): boolean {
    const item = this.find(kind, name)
    const { key, content } = FORMS[kind]
    if (!item || !content) return false
    const { id, owner } = item
    for (const part of partsOf(delta)) {
      this.#put(itemEvent(content, { [key]: id, delta: part }, owner))
    }
    return true
  }

  /** Ends an item; false when it is not open any more. */
  end(kind: ItemKind, name: string): boolean {
    const item = this.find(kind, name)
    if (!item) return false
    this.#open.delete(`${kind} ${name}`)
    this.#put(endOf(item))
    return true
  }

  /** Ends all items of an owner, the last first. */
  endAllOf(owner: Owner): void {
    for (const [name, item] of [...this.#open].toReversed()) {
      if (item.owner !== owner) continue
      this.#open.delete(name)
      this.#put(endOf(item))
    }
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

function endOf({ kind, id, owner }: Item): NewEvent {
  const { key, end } = FORMS[kind]
  return itemEvent(end, { [key]: id }, owner)
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
