import type { Interrupt, Message } from '@ag-ui/core'
import type { EventLog } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import type { Subject } from '../face.ts'
import { boundOutcome } from './tanstack-binding.ts'
import { tanstackMessages } from './tanstack-messages.ts'
import type { TanstackMessage } from './tanstack-messages.ts'
import { ThreadEncoder } from './thread-encoder.ts'

export interface TanstackHistoryOptions {
  readonly log: EventLog
  readonly agent: string
  readonly surface: string | undefined
  /** The newest messages, so many; all without it. */
  readonly limit?: number | undefined
  /** Those before the message of this id. */
  readonly before?: string | undefined
}

/** A thread as TanStack AI's client takes it at its start. */
export interface TanstackHistory {
  readonly messages: readonly TanstackMessage[]
  /** The turn at work. */
  readonly turn: string | undefined
  readonly interrupts: {
    readonly runId: string
    readonly pending: readonly Interrupt[]
  } | null
  readonly page: { readonly truncated: boolean; readonly cursor?: string }
}

/**
 * The messages of a thread, and what it waits for. What agents say in the turn at work is left out: its stream
 * brings all of it.
 */
export async function tanstackHistory(
  { thread, view }: Subject,
  { log, agent, surface, limit, before }: TanstackHistoryOptions,
): Promise<TanstackHistory> {
  const encoder = new ThreadEncoder({ view, includes: (of) => of === surface })
  const pace = new Pace()
  let whole: readonly Message[] = []
  let runId = ''
  for await (const records of log.read(thread)) {
    for (const record of records) {
      encoder.take(record)
      if (!encoder.run) whole = encoder.messages
      else runId = encoder.run.runId
    }
    await pace.rest()
  }
  const { messages, run } = encoder
  const known = new Set(whole.map(({ id }) => id))
  const shown = run ? messages.filter(({ id, role }) => known.has(id) || role === 'user') : messages
  const outcome = boundOutcome(encoder.outcome(agent), runId)
  const isAsked = !run && outcome.type === 'interrupt'
  return {
    ...pageOf(tanstackMessages(shown), { limit, before }),
    turn: run?.turn,
    interrupts: isAsked ? { runId, pending: outcome.interrupts } : null,
  }
}

function pageOf(
  all: readonly TanstackMessage[],
  { limit, before }: Pick<TanstackHistoryOptions, 'limit' | 'before'>,
): Pick<TanstackHistory, 'messages' | 'page'> {
  const found = before === undefined ? -1 : all.findIndex(({ id }) => id === before)
  const end = found < 0 ? all.length : found
  const from = Math.max(0, end - (limit ?? end))
  const messages = all.slice(from, end)
  const [first] = messages
  return {
    messages,
    page: from > 0 && first ? { truncated: true, cursor: first.id } : { truncated: false },
  }
}
