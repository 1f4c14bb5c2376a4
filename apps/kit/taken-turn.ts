import { isSpoken } from 'throughline/activity'
import type { ThreadView } from './thread-view.ts'
import type { Turn } from './turn-answer.ts'

/** Where on the page a person did something: what becomes of it is said there. */
export type TurnPlace = 'chat' | 'card' | 'footer'

/** What a person did, and where the page and its thread stood when they did. */
export interface TakenTurn {
  readonly turn: Turn
  readonly place: TurnPlace
  /** The last seq that the page had. */
  readonly after: number
  /** Told once, when the server has recorded it. */
  readonly onRecorded: () => void
}

/** Whether the stream has shown what a turn was to bring about, whatever became of its answer. Pure. */
export function isShown(
  { turn, after }: Pick<TakenTurn, 'turn' | 'after'>,
  { conversation, domainRecords }: Pick<ThreadView, 'conversation' | 'domainRecords'>,
): boolean {
  const { userMessage, directEvents } = turn
  if (directEvents !== undefined) {
    const clicks = domainRecords.filter(({ seq, origin }) => seq > after && origin.source === 'ui')
    return directEvents.every(({ type }) => clicks.some((click) => click.type === type))
  }
  const since = conversation.messages.filter(isSpoken).filter(({ seq }) => seq > after)
  return userMessage === undefined
    ? since.some(({ role, status }) => role === 'assistant' && status === 'complete')
    : since.some(({ role, text }) => role === 'user' && text === userMessage)
}
