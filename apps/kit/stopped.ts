import type { SpokenMessage } from 'throughline/agui'
import type { StoppedRun } from './thread-view.ts'

/** A message, with whether it was stopped; or a reply that was stopped before anything was said. */
export type ChatItem =
  | { readonly kind: 'message'; readonly message: SpokenMessage; readonly end: 'whole' | 'stopped' }
  | { readonly kind: 'silence'; readonly key: string }

/** The whole messages and the stops among them, in the order in which they came. Pure. */
export function chatItems(
  messages: readonly SpokenMessage[],
  stops: readonly StoppedRun[],
): readonly ChatItem[] {
  const last = new Map(
    messages.flatMap(({ role, run, id }) => (role === 'assistant' && run ? [[run, id]] : [])),
  )
  const cut = new Set(stops.map(({ run }) => last.get(run)))
  const silent = stops.filter(({ run }) => !last.has(run))
  return [
    ...messages.map((message) => {
      const end = cut.has(message.id) ? ('stopped' as const) : ('whole' as const)
      return { seq: message.seq, item: { kind: 'message' as const, message, end } }
    }),
    ...silent.map(({ run, seq }) => ({ seq, item: { kind: 'silence' as const, key: run } })),
  ]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ item }) => item)
}
