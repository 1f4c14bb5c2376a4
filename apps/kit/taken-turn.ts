import { isSpoken } from 'throughline/client'
import type { PendingRequest } from 'throughline/react'
import type { LogRecord } from 'throughline/client'
import type { ThreadView } from './thread-view.ts'
import type { Turn } from './turn.ts'

/** The place of an act on the page, where its outcome is shown. */
export type TurnPlace = 'chat' | 'card' | 'footer'

/** A person's act, with the position of the page and its thread at that time. */
export interface TakenTurn {
  readonly turn: Turn
  readonly place: TurnPlace
  /** The last seq that the page had. */
  readonly after: number
  /** Called once, when the stream shows that the server has recorded it. */
  readonly onRecorded: () => void
}

/** A turn in the stream: its run, and its refused events. */
export interface ShownTurn {
  /** Empty for a message that a recovery restated. */
  readonly run: string
  readonly refused: readonly LogRecord[]
}

type Sent = Pick<PendingRequest, 'request' | 'state'>

/** Finds a turn in what the stream has shown, whatever became of the answer to its request. Pure. */
export function shownTurn(
  { turn, after }: Pick<TakenTurn, 'turn' | 'after'>,
  sent: Sent,
  { conversation, domainRecords, startedAt }: ThreadView,
): ShownTurn | undefined {
  const { userMessage } = turn
  const ids = eventIds(sent)
  if (ids.length > 0) {
    const own = domainRecords.filter(({ id }) => ids.includes(id))
    if (own.length < ids.length) return undefined
    const refused = own.filter(({ type }) => type === 'event_refused')
    return { run: own[0]?.origin.run ?? '', refused }
  }
  const since = conversation.messages.filter(isSpoken).filter(({ seq }) => seq > after)
  if (userMessage === undefined && sent.state.status === 'accepted') {
    return startedAt > after ? { run: sent.state.run, refused: [] } : undefined
  }
  const said = since.find(({ role, status, text }) =>
    userMessage === undefined
      ? role === 'assistant' && status === 'complete'
      : role === 'user' && text === userMessage,
  )
  return said && { run: said.run ?? '', refused: [] }
}

function eventIds({ request }: Sent): readonly string[] {
  const events = request.kind === 'ask' ? (request.events ?? []) : []
  return events.flatMap(({ id }) => id ?? [])
}
