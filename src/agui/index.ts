/**
 * AG-UI's vocabulary on our log: how agent activity is written as records, and what those records say
 * when they are folded. A record's type and data are a wire event's type and other members, so a face
 * can pass stored bytes on. It must never know about HTTP, models or a domain's own events.
 *
 * @module
 */
export { agentEvent, customEvent, customValue, membersOf, textOf } from './agent-event.ts'
export type { AgentEventType } from './agent-event.ts'
export { EMPTY_CONVERSATION, foldConversation } from './conversation.ts'
export type { Conversation, ConversationMessage } from './conversation.ts'
export { foldOpenRuns } from './runs.ts'
export type { OpenRun } from './runs.ts'
