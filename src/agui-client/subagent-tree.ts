import type { SubagentErrorEvent, SubagentFinishedEvent, SubagentStartedEvent } from '@ag-ui/core'

/** Sub-agents that are kept over the runs of a thread; beyond it the oldest are forgotten. */
export const SUBAGENTS_KEPT_MAX = 1_000

export interface SubagentNode {
  readonly id: string
  readonly name: string
  readonly description?: string
  /** The tool call and the message that asked for it. */
  readonly toolCallId?: string
  readonly messageId?: string
  readonly state:
    | { readonly status: 'working' }
    | { readonly status: 'finished'; readonly result?: unknown }
    | { readonly status: 'suspended'; readonly interruptIds: readonly string[] }
    | { readonly status: 'failed'; readonly message: string; readonly code?: string }
  readonly children: readonly SubagentNode[]
}

interface Held {
  readonly node: Omit<SubagentNode, 'children'>
  readonly parent: string | undefined
  shown?: SubagentNode
}

/** The sub-agents of a thread as a tree. */
export class SubagentTree {
  readonly #held = new Map<string, Held>()
  #roots: readonly SubagentNode[] | undefined = []

  /** A node stays the same object until it or one below it changes. */
  get roots(): readonly SubagentNode[] {
    this.#roots ??= this.#build()
    return this.#roots
  }

  start(event: SubagentStartedEvent): void {
    const { subagentRunId: id, name, description } = event
    const { parentSubagentRunId: parent, parentToolCallId, parentMessageId } = event
    const node = {
      id,
      name,
      ...(description !== undefined && { description }),
      ...(parentToolCallId !== undefined && { toolCallId: parentToolCallId }),
      ...(parentMessageId !== undefined && { messageId: parentMessageId }),
      state: { status: 'working' },
    } as const
    this.#set({ node, parent })
    if (this.#held.size <= SUBAGENTS_KEPT_MAX) return
    const [oldest] = this.#held.keys()
    if (oldest !== undefined) this.#held.delete(oldest)
  }

  finish({ subagentRunId: id, result, outcome }: SubagentFinishedEvent): void {
    if (outcome?.type === 'suspended') {
      this.#end(id, { status: 'suspended', interruptIds: outcome.interruptIds ?? [] })
    } else {
      this.#end(id, { status: 'finished', ...(result !== undefined && { result }) })
    }
  }

  fail({ subagentRunId: id, message, code }: SubagentErrorEvent): void {
    this.#end(id, { status: 'failed', message, ...(code !== undefined && { code }) })
  }

  #end(id: string, state: SubagentNode['state']): void {
    const held = this.#held.get(id)
    if (held) this.#set({ ...held, node: { ...held.node, state } })
  }

  #set({ node, parent }: Held): void {
    this.#held.set(node.id, { node, parent })
    this.#roots = undefined
    const above = new Set([node.id])
    for (let id = parent; id !== undefined && !above.has(id); id = this.#held.get(id)?.parent) {
      above.add(id)
      const held = this.#held.get(id)
      if (held) delete held.shown
    }
  }

  #build(): readonly SubagentNode[] {
    const below = Map.groupBy(this.#held.values(), ({ node, parent }) =>
      parent !== undefined && parent !== node.id && this.#held.has(parent) ? parent : undefined,
    )
    const show = (held: Held): SubagentNode => {
      held.shown ??= { ...held.node, children: (below.get(held.node.id) ?? []).map(show) }
      return held.shown
    }
    return (below.get(undefined) ?? []).map(show)
  }
}
