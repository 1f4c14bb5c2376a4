import type { Message } from '@ag-ui/core'
import { resumedBy, turnOf } from '../../activity/index.ts'
import { membersOf, textOf } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import type { Reading, Subject } from '../face.ts'
import { framePosition, framesAfter, recordFrames, unknownPosition } from './frame.ts'
import { startOf } from '../turn-records.ts'
import { replacedHistoryEvents } from './messages-snapshot.ts'
import { readOpening } from './opening.ts'
import { runReading } from './run-writer.ts'
import type { AguiStreamOptions, RunReading } from './run-writer.ts'
import { ThreadEncoder } from './thread-encoder.ts'
import type { RunOpening } from './thread-encoder.ts'
import type { WireEvent } from './wire-event.ts'

export interface TurnStreamOptions extends AguiStreamOptions {
  readonly turn: string
  /** The messages that the client holds. When they are not the thread's, it gets a snapshot. */
  readonly history?: readonly Message[] | undefined
  /** Names these messages, as the run's first record names those that it was requested with. */
  readonly historyDigest?: string
}

/**
 * Reads one turn as one run of AG-UI, as server-sent events: from its start to its end, live from the
 * log. The same request with `after` goes on with the frame that comes after it, byte for byte.
 *
 * Its writers throw {@link AguiError} `unknown_position`.
 */
export function turnStream(options: TurnStreamOptions): Reading {
  return runReading(options, (subject, at) => findTurn(options, subject, at))
}

async function findTurn(
  options: TurnStreamOptions,
  subject: Subject,
  at?: number,
): Promise<RunReading> {
  const { log, turn, history = [] } = options
  const { thread, view } = subject
  const { started, after } = await placeOf(options, thread, at)
  const from = started ? started.seq - 1 : -1
  const surface = started?.origin.surface
  const encoder = new ThreadEncoder({ view, includes: (of) => !started || of === surface })
  // Without a history to compare, a new turn needs nothing of the turns before it.
  if (started && (options.history !== undefined || resumedBy(started) !== undefined)) {
    await fold(log, { encoder, thread, upTo: from })
  }
  const openingOf = async (record: LogRecord): Promise<RunOpening | undefined> => {
    if (turnOf(record) !== turn || !encoder.beginsTurn(record)) return undefined
    encoder.follow(await view.follow(thread, record.seq))
    return { messages: await readOpening(log, record, view), history: options.history }
  }
  const holdsOthers = after !== undefined && isOtherHistory(started, options)
  let isOver = false
  return {
    encoder,
    from,
    get isOver() {
      return isOver
    },
    async take(record) {
      const opening = await openingOf(record)
      const isTurns = opening !== undefined || encoder.run?.turn === turn
      const events = encoder.take(record, opening)
      if (!isTurns) return []
      isOver = encoder.run === undefined
      const { seq = -1 } = after ?? {}
      if (isOver && seq > record.seq) throw unknownPosition(String(seq))
      const frames = recordFrames(record.seq, events)
      if (!holdsOthers || isOver || record.seq !== seq) {
        return framesAfter(frames, record.seq, after)
      }
      if (opening) return frames.slice(1 + frames.findIndex(({ event }) => isStart(event)))
      const whole = replacedHistoryEvents(history, encoder.messages, { timestamp: record.ts })
      const snapshot = whole.map((event) => ({ id: String(seq), event }))
      return [...framesAfter(frames, record.seq, after), ...snapshot]
    },
  }
}

/** Whether a reader's messages are others than those that its run was requested with. */
function isOtherHistory(
  started: LogRecord | undefined,
  { historyDigest }: TurnStreamOptions,
): boolean {
  const requested = textOf(membersOf(started?.data ?? null)['wire'] ?? null, 'history')
  return requested !== '' && historyDigest !== undefined && requested !== historyDigest
}

function isStart({ type }: WireEvent): boolean {
  return type === 'RUN_STARTED'
}

/** The record that a stream begins with, and the position that its reader goes on from. */
async function placeOf(options: TurnStreamOptions, thread: string, at?: number) {
  const { log, after: id } = options
  if (id === undefined) return { started: await startOf(options, thread, at), after: undefined }
  const after = framePosition(id, await log.head(thread))
  const started = await startOf(options, thread, after.seq)
  if (!started || after.isPrelude || after.seq < started.seq) throw unknownPosition(id)
  return { started, after }
}

/** Folds the records before a stream, of which it sends nothing. */
export async function fold(
  log: EventLog,
  to: { readonly encoder: ThreadEncoder; readonly thread: string; readonly upTo: number },
): Promise<LogRecord | undefined> {
  const { encoder, thread, upTo } = to
  let last: LogRecord | undefined
  if (upTo < 0) return last
  const pace = new Pace()
  for await (const records of log.read(thread, { limit: upTo + 1 })) {
    for (const record of records) encoder.take(record)
    last = records.at(-1) ?? last
    await pace.rest()
  }
  return last
}
