import { cutOf, isSpoken, ourMetadata } from 'throughline/activity'
import type { Conversation } from 'throughline/activity'
import { textOf } from 'throughline/json'
import type { LogRecord } from 'throughline/log'

/** Why a reply has no proper end: a person stopped it, its run failed, or it was too long. */
export type Cut = NonNullable<ReturnType<typeof cutOf>>

/** Why runs were cut, by run. A message that a seed restated belongs to no run: it has its own id. */
export type Cuts = ReadonlyMap<string, Cut>

/** The newest cuts that are remembered of a case. */
export const SEED_CUTS_MAX = 200

/** Folds one record into the cuts. Pure. */
export function foldCuts(cuts: Cuts, record: LogRecord): Cuts {
  const cut = cutIn(record)
  return cut ? new Map([...cuts, cut].slice(-SEED_CUTS_MAX)) : cuts
}

/** Why each reply that was cut has no proper end, by message. Only a failure cuts all of its run. */
export function cutReplies({ messages }: Conversation, cuts: Cuts): ReadonlyMap<string, Cut> {
  const replies = messages.filter(isSpoken).filter(({ role }) => role === 'assistant')
  const last = new Map(replies.map(({ id, run = id }) => [run, id]))
  return new Map(
    replies.flatMap(({ id, run = id }) => {
      const why = cuts.get(run)
      return why === undefined || (why !== 'failed' && last.get(run) !== id) ? [] : [[id, why]]
    }),
  )
}

function cutIn(record: LogRecord): readonly [string, Cut] | undefined {
  const { type, data, origin } = record
  switch (type) {
    case 'RUN_ERROR':
    case 'RUN_FINISHED': {
      const cut = cutOf(record)
      return cut && [origin.run ?? '', cut]
    }
    case 'TEXT_MESSAGE_END': {
      const { cut } = ourMetadata(data)
      const isCut = cut === 'stopped' || cut === 'failed' || cut === 'length'
      return isCut ? [textOf(data, 'messageId'), cut] : undefined
    }
    default:
      return undefined
  }
}
