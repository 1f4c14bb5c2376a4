import type { AssistantMessage, Message } from '@ag-ui/core'
import type { ConversationMessage } from '../activity/index.ts'
import { programsId } from './ids.ts'

/**
 * Returns the messages at the end of a snapshot that the program itself says and did not stream. A snapshot
 * restates the history, so only messages after the last one that the program was sent or has streamed are new.
 * The answer of a run is its last message, so a message before a streamed one is left out.
 *
 * `before` is the conversation before this stream; `streamed` holds texts by the program's ids.
 */
export function unstreamedMessages(
  snapshot: readonly Message[],
  before: readonly ConversationMessage[],
  streamed: ReadonlyMap<string, string>,
) {
  const sent = idsOf(before)
  // Some programs stream a message under another id than the snapshot has.
  const texts = new Set([...streamed.values()].map((text) => text.trim()))
  const last = snapshot.findLastIndex((each) => {
    if (each.role === 'user' || sent.has(each.id) || streamed.has(each.id)) return true
    if (each.role === 'tool') return sent.has(each.toolCallId)
    return isOwn(each) && texts.has(textOf(each))
  })
  return snapshot.slice(last + 1).flatMap((each) => {
    if (!isOwn(each) || textOf(each) === '') return []
    return [{ messageId: each.id, text: each.content ?? '' }]
  })
}

function textOf({ content = '' }: AssistantMessage): string {
  return content.trim()
}

/** Whether the program itself says this, and none of its sub-agents. */
function isOwn(message: Message): message is AssistantMessage {
  return message.role === 'assistant' && message.subagentRunId === undefined
}

/** The ids that the program may know the messages and calls of a conversation by. */
function idsOf(messages: readonly ConversationMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      const { id } = message
      const own = programsId(id)
      const { parent = id } = message.role === 'call' ? message : {}
      return [id, own, `${own}_message`, programsId(parent)]
    }),
  )
}
