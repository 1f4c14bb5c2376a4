import type { SubagentStartedEvent } from '@ag-ui/core'
import type { ItemEvent, ItemKind } from '../activity/index.ts'
import { outOfOrder } from './wire-error.ts'

/** Kinds whose ids name one owner: a span and the message in it mostly have the same id. */
const OWNED_AS = {
  activity: 'activity',
  'text message': 'message',
  'tool call': 'call',
  'reasoning span': 'reasoning',
  'reasoning message': 'reasoning',
} as const satisfies Partial<Record<ItemKind | 'activity', string>>

/** Everything that belongs to an agent by an id. */
export type OwnedKind = keyof typeof OWNED_AS

/** An event as far as it says which agent it is of. */
export interface Claim {
  readonly type: string
  readonly subagentRunId?: Agent
}

/** The sub-agent that something belongs to; undefined is the agent itself. */
export type Agent = string | undefined

/** The open items of one run, its sub-agents among them, and to which agent each item belongs that the run has named. */
export class OwnedItems {
  /** With what each is called in a message. */
  readonly #open = new Map<string, string>()
  readonly #owners = new Map<string, { readonly agent: Agent }>()
  readonly #announced = new Set<string>()

  get openCount(): number {
    return this.#open.size
  }

  /** The open items, for a message. */
  get open(): readonly string[] {
    return [...this.#open.values()]
  }

  /** @throws {@link WireError} `out_of_order` */
  take(event: Claim, item: ItemEvent): void {
    const { role, kind, id, key } = item
    const isOpen = this.#open.has(key)
    if (isOpen === (role === 'opens')) {
      const name = namedFor(item, event)
      throw outOfOrder(event.type, isOpen ? `${name} is open already` : `no ${name} is open`)
    }
    if (isOwned(kind)) this.requireOwner(event, kind, id)
    if (role === 'closes') this.#open.delete(key)
    if (role !== 'opens') return
    this.#open.set(key, namedFor(item, event))
    if (isOwned(kind) && !this.ownerOf(kind, id)) this.own(kind, id, event.subagentRunId)
  }

  /** An id names one invocation of a sub-agent: it starts once, after its parent. */
  announce({ type, subagentRunId: id, parentSubagentRunId: parent }: SubagentStartedEvent): void {
    if (this.#announced.has(id)) throw outOfOrder(type, `sub-agent "${id}" has started already`)
    if (parent !== undefined && !this.#announced.has(parent)) {
      throw outOfOrder(type, `its parent "${parent}" has not started`)
    }
    this.#announced.add(id)
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
    this.#announced.clear()
  }
}

function isOwned(kind: ItemKind): kind is ItemKind & OwnedKind {
  return kind in OWNED_AS
}

function namedFor({ kind, id }: ItemEvent, { subagentRunId }: Claim): string {
  return kind === 'step' ? `step "${id}" of ${nameOf(subagentRunId)}` : `${kind} "${id}"`
}

export function nameOf(agent: Agent): string {
  return agent === undefined ? 'the agent itself' : `sub-agent "${agent}"`
}
