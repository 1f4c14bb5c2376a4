import { cutReplies } from 'throughline/client'
import type { Cut, CutRun, SpokenMessage } from 'throughline/client'

/** A message, with how it ended; or a reply that was stopped before anything was said. */
export type ChatItem =
  | {
      readonly kind: 'message'
      readonly message: SpokenMessage
      readonly end: 'whole' | Cut
    }
  | { readonly kind: 'silence'; readonly key: string }

/**
 * The whole messages and the stops among them, in the order in which they came. A reply that failed in
 * silence leaves no line: whether it is still missed is for the end of the conversation to say. Pure.
 */
export function chatItems(
  messages: readonly SpokenMessage[],
  cuts: readonly CutRun[],
): readonly ChatItem[] {
  const ends = cutReplies(messages, cuts)
  const answered = new Set(
    messages.flatMap(({ role, id, run = id }) => (role === 'assistant' ? [run] : [])),
  )
  const silent = cuts.filter(({ why, run }) => why === 'stopped' && !answered.has(run))
  return [
    ...messages.map((message) => {
      const item = {
        kind: 'message' as const,
        message,
        end: ends.get(message.id) ?? ('whole' as const),
      }
      return { seq: message.seq, item }
    }),
    ...silent.map(({ run, seq }) => ({ seq, item: { kind: 'silence' as const, key: run } })),
  ]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ item }) => item)
}
