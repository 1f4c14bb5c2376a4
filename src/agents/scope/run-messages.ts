import { messagesOn } from '../../activity/index.ts'
import type { Conversation, ConversationMessage, Wait } from '../../activity/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import type { RunOrigin } from './scope.ts'

/** The messages that the model of a run is given: a sub-agent has those of its run only. */
export function messagesOf(
  { origin }: { readonly origin: RunOrigin },
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

export function inCallOrder(
  waits: readonly Wait[],
  conversation: Pick<Conversation, 'messages' | 'nested'>,
): readonly Wait[] {
  const seqs = callSeqs(conversation)
  const seqOf = ({ toolCallId }: Wait): number => seqs.get(toolCallId) ?? 0
  return waits.toSorted((one, other) => seqOf(one) - seqOf(other))
}

/** The seqs of tool calls, by their ids. */
export function callSeqs({
  messages,
  nested,
}: Pick<Conversation, 'messages' | 'nested'>): ReadonlyMap<string, number> {
  const all = [messages, ...Object.values(nested)].flat()
  return new Map(all.flatMap(({ role, id, seq }) => (role === 'call' ? [[id, seq] as const] : [])))
}
