import type { AgentEventType } from './agent-event.ts'

/** Whatever AG-UI opens and closes by an id. */
export type ItemKind =
  | 'text message'
  | 'tool call'
  | 'reasoning span'
  | 'reasoning message'
  | 'step'
  | 'sub-agent'

/** The life of a kind of item: the member that names it, and the events of it. */
export interface ItemForm {
  readonly id: 'messageId' | 'toolCallId' | 'stepName' | 'subagentRunId'
  readonly opens: AgentEventType
  readonly continues?: AgentEventType
  readonly closes: AgentEventType
  /** Closes it too. */
  readonly fails?: AgentEventType
}

export const ITEMS = {
  'text message': {
    id: 'messageId',
    opens: 'TEXT_MESSAGE_START',
    continues: 'TEXT_MESSAGE_CONTENT',
    closes: 'TEXT_MESSAGE_END',
  },
  'tool call': {
    id: 'toolCallId',
    opens: 'TOOL_CALL_START',
    continues: 'TOOL_CALL_ARGS',
    closes: 'TOOL_CALL_END',
  },
  'reasoning span': { id: 'messageId', opens: 'REASONING_START', closes: 'REASONING_END' },
  'reasoning message': {
    id: 'messageId',
    opens: 'REASONING_MESSAGE_START',
    continues: 'REASONING_MESSAGE_CONTENT',
    closes: 'REASONING_MESSAGE_END',
  },
  step: { id: 'stepName', opens: 'STEP_STARTED', closes: 'STEP_FINISHED' },
  'sub-agent': {
    id: 'subagentRunId',
    opens: 'SUBAGENT_STARTED',
    closes: 'SUBAGENT_FINISHED',
    fails: 'SUBAGENT_ERROR',
  },
} as const satisfies Readonly<Record<ItemKind, ItemForm>>

/** What an event of a type does to an item of a kind. */
export interface ItemRole {
  readonly kind: ItemKind
  readonly role: 'opens' | 'continues' | 'closes'
}

/** By the type of the event. A map, as a type may be the name of a member that every object has. */
export const ITEM_ROLES: ReadonlyMap<string, ItemRole> = new Map(
  Object.entries<ItemForm>(ITEMS).flatMap(([name, { opens, continues, closes, fails }]) => {
    // The entries of the table are named for their kinds.
    const kind = name as ItemKind
    const roles = [
      [opens, { kind, role: 'opens' }],
      [continues, { kind, role: 'continues' }],
      [closes, { kind, role: 'closes' }],
      [fails, { kind, role: 'closes' }],
    ] as const
    return roles.flatMap(([type, role]) => (type === undefined ? [] : [[type, role] as const]))
  }),
)

/** What one event does to one item. */
export interface ItemEvent extends ItemRole {
  readonly id: string
  /** The sub-agent that the event names. */
  readonly agent: string | undefined
  /** As {@link itemKey} makes it. */
  readonly key: string
}

/**
 * Returns what an event does to an item, or undefined when it opens, continues and closes none; `latest` where
 * that is the same: most events continue the item of the one before.
 */
export function itemEventOf(
  type: string,
  members: object,
  latest?: ItemEvent,
): ItemEvent | undefined {
  const does = ITEM_ROLES.get(type)
  if (!does) return undefined
  const { kind, role } = does
  // The types of AG-UI's events have no index signature.
  const { [ITEMS[kind].id]: name, subagentRunId } = members as Readonly<Record<string, unknown>>
  const id = typeof name === 'string' ? name : ''
  const agent = typeof subagentRunId === 'string' ? subagentRunId : undefined
  if (latest?.kind !== kind || latest.id !== id || latest.agent !== agent) {
    return { kind, role, id, agent, key: itemKey(kind, id, agent) }
  }
  return latest.role === role ? latest : { ...latest, role }
}

/** Names an item of a stream: each kind has ids of its own, and two agents may be at a step of one name. */
export function itemKey(kind: ItemKind, id: string, agent?: string): string {
  return kind === 'step' ? JSON.stringify([kind, agent, id]) : `${kind} ${id}`
}
