import { REDACTED, isSpoken } from 'throughline/client'
import type { Conversation, View } from 'throughline'
import type { ChatMessage } from '../case/state.ts'

export type Side = 'installer' | 'customer'

/** The transcript for a reader who does not take part: without its words where records are redacted. */
export function messagesFor(
  { isUnfiltered }: Pick<View, 'isUnfiltered'>,
  conversation: Conversation,
  side: Side,
): readonly ChatMessage[] {
  const messages = messagesOf(conversation, side)
  return isUnfiltered ? messages : messages.map((each) => ({ ...each, text: REDACTED }))
}

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
