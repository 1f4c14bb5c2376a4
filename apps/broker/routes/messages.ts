import { isSpoken } from 'throughline/activity'
import type { Conversation } from 'throughline/activity'
import type { ChatMessage } from '../case/state.ts'

export type Side = 'installer' | 'customer'

/** The transcript of one side as people read it: without notes and without unfinished messages. */
export function messagesOf(conversation: Conversation, side: Side): readonly ChatMessage[] {
  return conversation.messages
    .filter(isSpoken)
    .flatMap(({ id, role, text, ts, surface, status }) =>
      surface === side && status === 'complete'
        ? [{ id, role, text, createdAt: new Date(ts).toISOString() }]
        : [],
    )
}
