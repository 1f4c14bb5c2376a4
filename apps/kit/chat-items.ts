import type { SpokenMessage } from 'throughline/activity'
import type { CutRun } from './thread-view.ts'

/** A message, with how it ended; or a reply that was stopped before anything was said. */
export type ChatItem =
  | {
      readonly kind: 'message'
      readonly message: SpokenMessage
      readonly end: 'whole' | CutRun['why']
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
  const last = new Map(
    messages.flatMap(({ role, id, run = id }) => (role === 'assistant' ? [[run, id]] : [])),
  )
  const why = new Map(cuts.map((cut) => [cut.run, cut.why]))
  const endOf = ({ id, role, run = id }: SpokenMessage): CutRun['why'] | 'whole' => {
    const end = role === 'assistant' ? why.get(run) : undefined
    // A call that fails is made again: each time the reply may have begun, and none was finished.
    return end === undefined || (end !== 'failed' && last.get(run) !== id) ? 'whole' : end
  }
  const silent = cuts.filter((cut) => cut.why === 'stopped' && !last.has(cut.run))
  return [
    ...messages.map((message) => {
      const item = { kind: 'message' as const, message, end: endOf(message) }
      return { seq: message.seq, item }
    }),
    ...silent.map(({ run, seq }) => ({ seq, item: { kind: 'silence' as const, key: run } })),
  ]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ item }) => item)
}
