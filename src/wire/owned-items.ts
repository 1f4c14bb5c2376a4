import { outOfOrder } from './wire-error.ts'

/** Items that AG-UI opens, fills and ends by id: each kind has ids of its own. */
export type ItemKind = 'text message' | 'tool call' | 'reasoning span' | 'reasoning message'

/** Kinds whose ids name one owner: a span and the message in it mostly have the same id. */
const OWNED_AS: Readonly<Record<OwnedKind, string>> = {
  activity: 'activity',
  'text message': 'message',
  'tool call': 'call',
  'reasoning span': 'reasoning',
  'reasoning message': 'reasoning',
}

/** Everything that belongs to an agent by an id. */
export type OwnedKind = ItemKind | 'activity'

/** An event as far as it says which agent it is of. */
export interface Claim {
  readonly type: string
  readonly subagentRunId?: Agent
}

/** The sub-agent that something belongs to; undefined is the agent itself. */
export type Agent = string | undefined

/** The open items of one run, and to which agent each item belongs that the run has named. */
export class OwnedItems {
  readonly #open = new Map<ItemKind, Set<string>>()
  readonly #owners = new Map<string, { readonly agent: Agent }>()

  get openCount(): number {
    let count = 0
    for (const ids of this.#open.values()) count += ids.size
    return count
  }

  /** The open items, for a message. */
  get open(): readonly string[] {
    return [...this.#open].flatMap(([kind, ids]) => Array.from(ids, (id) => `${kind} "${id}"`))
  }

  start({ type, subagentRunId }: Claim, kind: ItemKind, id: string): void {
    const ids = this.#idsOf(kind)
    if (ids.has(id)) throw outOfOrder(type, `${kind} "${id}" is open already`)
    this.requireOwner({ type, subagentRunId }, kind, id)
    ids.add(id)
    if (!this.ownerOf(kind, id)) this.own(kind, id, subagentRunId)
  }

  continue(event: Claim, kind: ItemKind, id: string): void {
    if (!this.#open.get(kind)?.has(id)) throw outOfOrder(event.type, `no ${kind} "${id}" is open`)
    this.requireOwner(event, kind, id)
  }

  end(event: Claim, kind: ItemKind, id: string): void {
    this.continue(event, kind, id)
    this.#open.get(kind)?.delete(id)
  }

  /** Refuses an event that claims one agent's item for another; an event without an agent claims none. */
  requireOwner({ type, subagentRunId }: Claim, kind: OwnedKind, id: string): void {
    if (subagentRunId === undefined) return
    const owner = this.ownerOf(kind, id)
    if (!owner || owner.agent === subagentRunId) return
    throw outOfOrder(
      type,
      `${kind} "${id}" belongs to ${nameOf(owner.agent)}, not to "${subagentRunId}"`,
    )
  }

  /** Records an item's owner, in place of an earlier one. */
  own(kind: OwnedKind, id: string, agent: Agent): void {
    this.#owners.set(`${OWNED_AS[kind]}:${id}`, { agent })
  }

  ownerOf(kind: OwnedKind, id: string): { readonly agent: Agent } | undefined {
    return this.#owners.get(`${OWNED_AS[kind]}:${id}`)
  }

  clear(): void {
    this.#open.clear()
    this.#owners.clear()
  }

  #idsOf(kind: ItemKind): Set<string> {
    const ids = this.#open.get(kind) ?? new Set<string>()
    this.#open.set(kind, ids)
    return ids
  }
}

export function nameOf(agent: Agent): string {
  return agent === undefined ? 'the agent itself' : `sub-agent "${agent}"`
}
