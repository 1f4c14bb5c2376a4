import { textOf } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { cutOf, ourMetadata } from './agent-event.ts'
import type { SpokenMessage } from './message.ts'
import { endsRun } from './runs.ts'

/** The newest cut runs of a thread that {@link foldCuts} keeps. */
export const CUT_RUNS_MAX = 500

/** Why a reply has no proper end: it was stopped, it failed, or it was as long as one call may be (`length`). */
export type Cut = NonNullable<ReturnType<typeof cutOf>>

/** A run without a proper end. */
export interface CutRun {
  /** Or the id of a message that a recovery restated: it belongs to no run. */
  readonly run: string
  /** The record of its end. */
  readonly seq: number
  readonly why: Cut
}

/** Folds a record into the cut runs of a thread, oldest first. Pure. */
export function foldCuts(cuts: readonly CutRun[], record: LogRecord): readonly CutRun[] {
  const cut = cutIn(record)
  return cut ? [...cuts, cut].slice(-CUT_RUNS_MAX) : cuts
}

/**
 * Why replies have no proper end, by message id. A failure cuts all replies of its run, because a model call
 * that fails is made again; any other cut ends the last one. Pure.
 */
export function cutReplies(
  messages: readonly SpokenMessage[],
  cuts: readonly CutRun[],
): ReadonlyMap<string, Cut> {
  const replies = messages.filter(({ role }) => role === 'assistant')
  const last = new Map(replies.map(({ id, run = id }) => [run, id]))
  const reasons = new Map(cuts.map(({ run, why }) => [run, why]))
  return new Map(
    replies.flatMap(({ id, run = id }) => {
      const why = reasons.get(run)
      return why === undefined || (why !== 'failed' && last.get(run) !== id) ? [] : [[id, why]]
    }),
  )
}

function cutIn(record: LogRecord): CutRun | undefined {
  const { type, seq, data, origin } = record
  if (type === 'TEXT_MESSAGE_END' && origin.run === undefined) {
    const { cut: why } = ourMetadata(data)
    const isCut = why === 'stopped' || why === 'failed' || why === 'length'
    return isCut ? { run: textOf(data, 'messageId'), seq, why } : undefined
  }
  const why = endsRun(record) ? cutOf(record) : undefined
  return why && origin.run !== undefined ? { run: origin.run, seq, why } : undefined
}
