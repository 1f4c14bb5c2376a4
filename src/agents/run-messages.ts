import { messagesOn } from '../activity/index.ts'
import type { ConversationMessage } from '../activity/index.ts'
import type { Snapshot } from '../thread/index.ts'
import type { RecordedRun } from './scope.ts'

/** The messages that the model of a run is given: a sub-agent has those of its run only. */
export function messagesOf(
  { origin }: Pick<RecordedRun, 'origin'>,
  { conversation }: Pick<Snapshot<unknown>, 'conversation'>,
): readonly ConversationMessage[] {
  if (origin.depth > 0) return conversation.nested[origin.run] ?? []
  return messagesOn(conversation, origin.surface)
}

/** The messages that were there when the model made a call. */
export function messagesBefore(
  messages: readonly ConversationMessage[],
  call: string,
): readonly ConversationMessage[] {
  let end = messages.findLastIndex(({ role, id }) => role === 'call' && id === call)
  // What the model said and asked for in the same answer comes right before it.
  while (end > 0 && ANSWER.has(messages[end - 1]?.role ?? '')) end--
  return messages.slice(0, Math.max(end, 0))
}

const ANSWER: ReadonlySet<string> = new Set(['assistant', 'reasoning', 'call'])
