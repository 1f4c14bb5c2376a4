import type { LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { Subject } from '../face.ts'
import type { AguiFrame } from './frame.ts'
import { streamText } from './stream-text.ts'
import type { SentText } from './stream-text.ts'
import type { FollowOptions, LiveRun, SharedRuns } from './shared-runs.ts'
import type { ThreadEncoder } from './thread-encoder.ts'

/** The options of all streams of AG-UI events. */
export interface AguiStreamOptions extends FollowOptions {
  readonly subject: Subject
  /** The id of the last frame that the reader has. */
  readonly after?: string | undefined
  /** The runs that others read: what they see alike is encoded once. */
  readonly shared: SharedRuns
}

/** Reads the records of a thread as the frames of one run. */
export interface RunReading {
  readonly encoder: ThreadEncoder
  /** The last record before those that are to be taken. */
  readonly from: number
  /** Whether the last record that was taken ended the run. */
  readonly isOver: boolean
  take(record: LogRecord): readonly AguiFrame[] | Promise<readonly AguiFrame[]>
}

/** Reads a run from a position in its thread as far as it is on record; returns the rest of it, if any. */
export async function* liveRun(
  options: AguiStreamOptions,
  reading: RunReading,
): AsyncGenerator<SentText, LiveRun | undefined> {
  const { log, signal, shared, subject, protocol } = options
  const { thread, view } = subject
  const { encoder } = reading
  let at = reading.from
  if (!encoder.run) at = yield* readRecords(options, reading, untilBegun(options, reading))
  while (!signal.aborted && !reading.isOver) {
    at = Math.max(at, yield* readRecords(options, reading, log.read(thread, { after: at })))
    const { run } = encoder
    // A reader that left during the read would never leave a run that it joined now.
    if (!run || reading.isOver || signal.aborted) break
    const key = JSON.stringify([thread, view.key, protocol, run.turn])
    const live = shared.join({ key, thread, at, runId: run.runId, encoder, options })
    if (live) return live
  }
  return undefined
}

/** Yields the text of records up to the end of the run, and returns the position of the last one. */
async function* readRecords(
  options: AguiStreamOptions,
  reading: RunReading,
  batches: AsyncIterable<readonly LogRecord[]>,
): AsyncGenerator<SentText, number> {
  const pace = new Pace()
  let at = -1
  for await (const records of batches) {
    for (const record of records) {
      const text = streamText(await reading.take(record), options)
      at = record.seq
      if (text !== '') yield { text }
      if (reading.isOver || options.signal.aborted) return at
    }
    await pace.rest()
  }
  return at
}

/** The records of a thread as they come, until a turn has begun that may not be on record yet. */
async function* untilBegun(
  { log, signal, subject }: AguiStreamOptions,
  { encoder, from }: RunReading,
): AsyncGenerator<readonly LogRecord[]> {
  const records = log.subscribe(subject.thread, { after: from })
  const stop = (): void => inBackground(records.return?.())
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    for await (const batch of records) {
      yield batch
      if (encoder.run) return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await records.return?.()
  }
}
