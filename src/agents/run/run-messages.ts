import { messagesOn } from '../../activity/index.ts'
import type { Conversation, ConversationMessage, Wait } from '../../activity/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import type { RecordedRun } from '../scope.ts'

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
  // The text and the other calls of the same answer are directly before it.
  while (end > 0 && ANSWER.has(messages[end - 1]?.role ?? '')) end--
  return messages.slice(0, Math.max(end, 0))
}

const ANSWER: ReadonlySet<string> = new Set(['assistant', 'reasoning', 'call'])

/** Waits in the order in which the model made their calls. */
export function inCallOrder(
  waits: readonly Wait[],
  { messages, nested }: Pick<Conversation, 'messages' | 'nested'>,
): readonly Wait[] {
  const lists = [messages, ...Object.values(nested)]
  const calls = lists.flat().filter(({ role }) => role === 'call')
  const seqs = new Map(calls.map(({ id, seq }) => [id, seq]))
  const seqOf = ({ toolCallId }: Wait): number => seqs.get(toolCallId) ?? 0
  return waits.toSorted((one, other) => seqOf(one) - seqOf(other))
}
