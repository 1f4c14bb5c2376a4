import { randomUUID } from 'node:crypto'
import { cutOf, endsRun, subscribe } from 'throughline/client'
import { textOf } from 'throughline'
import type { LogRecord } from 'throughline'
import { EMPTY_VIEW, foldView } from '../../kit/thread-view.ts'
import type { ThreadView, UnansweredRun } from '../../kit/thread-view.ts'
import { request } from './served-broker.fixture.ts'
import type { Answered } from './served-broker.fixture.ts'

/** How a side's page reaches its case. */
export interface PageAccess {
  readonly url: string
  readonly thread: string
  readonly side: 'installer' | 'customer'
  /** They say who asks. */
  readonly headers: Readonly<Record<string, string>>
}

export interface PageTurn {
  readonly userMessage?: string
  readonly directEvents?: readonly {
    readonly id?: string
    readonly type: string
    readonly data: object
  }[]
  readonly isFirstTurn?: boolean
  /** The Idempotency-Key of the request; a fresh one where it is left out. */
  readonly key?: string
}

/** The answer to the request of a turn, which comes once the turn has begun, and what the page is shown of it. */
export interface Told extends Answered {
  /** `refused`: the request was, and there is no turn. */
  readonly end: 'finished' | 'stopped' | 'refused' | UnansweredRun['why']
  readonly reply: string | null
  /** The model's events that were accepted. */
  readonly events: readonly Pick<LogRecord, 'type' | 'data'>[]
  /** The page's own events that were not. */
  readonly refused: readonly { readonly type: string; readonly reason: string }[]
  /** An effect ended in the turn, and no reply has told of it. */
  readonly isUnreported: boolean
  /** The case, the transcript and a seed, as the side reads them afterwards. */
  readonly session: Answered['body']
}

/** Takes a turn as the pages do: posts it, then follows the case's stream until the turn has ended. */
export async function takeTurn(page: PageAccess, turn: PageTurn): Promise<Told> {
  const { url, thread, headers } = page
  const body = runOf(page, turn)
  const answered = await request(`${url}/api/threads/${thread}/runs`, {
    headers: { ...headers, 'idempotency-key': turn.key ?? randomUUID() },
    body,
  })
  if (answered.status !== 202) return { ...answered, ...UNTAKEN }
  const run = String(answered.body['runId'])
  const { view, end } = await runEnded(page, run)
  const session = await request(`${url}/api/session/${thread}`, { headers })
  const cut = cutOf(end)
  const sent = new Set(body.events?.map(({ id }) => id))
  return {
    ...answered,
    end: cut === 'failed' ? (view.unanswered?.why ?? cut) : cut === 'stopped' ? cut : 'finished',
    reply: replyIn(view, run),
    events: view.domainRecords.filter(
      ({ type, origin }) =>
        type !== 'event_refused' && origin.source === 'model' && origin.run === run,
    ),
    refused: view.domainRecords
      .filter(({ id, type }) => type === 'event_refused' && sent.has(id))
      .map(({ data }) => ({ type: textOf(data, 'type'), reason: textOf(data, 'reason') })),
    isUnreported: view.unreported === run,
    session: session.body,
  }
}

const UNTAKEN = {
  end: 'refused',
  reply: null,
  events: [],
  refused: [],
  isUnreported: false,
  session: {},
} as const

/** Each event has an id of its own, by which the page finds it in the stream. */
function runOf({ side }: PageAccess, { userMessage, directEvents, isFirstTurn }: PageTurn) {
  const events = directEvents?.map((event) => ({ id: randomUUID(), ...event }))
  return {
    agent: side,
    ...(userMessage !== undefined && { input: userMessage }),
    ...((events ?? userMessage === undefined) && { events: events ?? [] }),
    ...(isFirstTurn && { first: true }),
  }
}

/** The longest delay of a timer: the clock of a test may run fast. */
const NEVER_MS = 2 ** 31 - 1

/**
 * Follows a case from its beginning until a run has ended and none is under way: a turn that failed and is
 * asked for under its key runs again as another run. Gives the view then, and the record of the end.
 */
async function runEnded({ url, thread, headers }: PageAccess, run: string) {
  let view: ThreadView = EMPTY_VIEW
  let end: LogRecord | undefined
  let [seq, head] = [-1, Number.POSITIVE_INFINITY]
  const updates = subscribe({
    url: `${url}/api/threads/${thread}/events`,
    headers: () => ({ connection: 'close', ...headers }),
    silenceMaxMs: NEVER_MS,
  })
  for await (const update of updates) {
    if (update.type === 'status') {
      if (update.status === 'live') head = update.head
      else if (update.status !== 'connecting') throw update.error
    }
    if (update.type === 'record') {
      const { record } = update
      view = foldView(view, record)
      if (record.origin.run === run && endsRun(record)) end = record
      seq = record.seq
    }
    if (update.type === 'cursor') seq = update.seq
    if (end && view.running === undefined && seq >= head) return { view, end }
  }
  throw new Error('Cannot follow the run: the stream ended')
}

function replyIn({ conversation }: ThreadView, run: string): string | null {
  const said = conversation.messages.findLast(
    ({ role, run: of, text }) => role === 'assistant' && of === run && text !== '',
  )
  return said?.text ?? null
}
