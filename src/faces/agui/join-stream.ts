import { endsRun } from '../../activity/index.ts'
import {
  framePosition,
  framesAfter,
  preludeAfter,
  preludeFrames,
  recordFrames,
  unknownPosition,
} from './frame.ts'
import type { AguiFrame, FramePosition } from './frame.ts'
import { preludeOf } from './prelude.ts'
import { liveRun } from './live-run.ts'
import type { AguiStreamOptions } from './live-run.ts'
import { streamText } from './stream-text.ts'
import type { LiveRun } from './shared-runs.ts'
import type { SentText } from './stream-text.ts'
import { ThreadEncoder } from './thread-encoder.ts'
import { fold } from './turn-stream.ts'

export interface JoinStreamOptions extends AguiStreamOptions {
  /** The surface whose turns and messages the client sees; without one, those of no surface. */
  readonly surface?: string | undefined
  /** The agent whose questions the client is asked, where agents have no surface. */
  readonly agent?: string | undefined
  /** The client's id of the run. */
  readonly runId: string
  /** `end`: an open question ends the run at once, although a turn may be at work. */
  readonly tells?: 'end' | undefined
}

/**
 * Streams a thread to a client that joins it, as one run of AG-UI: history and state first, then the
 * turn that is at work, live until it ends. When none is at work the run ends at once, with the open
 * question if there is one. The same request with `after` goes on with the frame that comes after it.
 *
 * Yields the recorded part, and returns the rest, which the reader follows.
 *
 * @throws {@link AguiError} `unknown_position`, before the first text
 */
export async function* joinStream(
  options: JoinStreamOptions,
): AsyncGenerator<SentText, LiveRun | undefined> {
  const joined = await join(options)
  const { encoder, after, at } = joined
  const { frames, isOpen } = firstFrames(joined, options)
  if (frames.length > 0) yield { text: streamText(frames, options) }
  if (!isOpen) return undefined
  return yield* liveRun(options, {
    encoder,
    from: at,
    get isOver() {
      return encoder.run === undefined
    },
    take: (record) =>
      framesAfter(recordFrames(record.seq, encoder.take(record)), record.seq, after),
  })
}

/** Folds a thread up to the record at which its reader joins, the `last` one. */
async function join(options: JoinStreamOptions) {
  const { log, subject, surface, runId } = options
  const { thread, view } = subject
  const head = await log.head(thread)
  const after = options.after === undefined ? undefined : framePosition(options.after, head)
  const at = joinedAt(after) ?? head
  const encoder = new ThreadEncoder({ view, includes: (of) => of === surface })
  const last = await fold(log, { encoder, thread, upTo: at })
  encoder.follow(await view.follow(thread, at))
  if (encoder.run) encoder.run.runId = runId
  return { encoder, at, last, after }
}

/** The frames before those of further records, and whether there are any of those. */
function firstFrames(
  { encoder, at, last, after }: Awaited<ReturnType<typeof join>>,
  { subject, runId, agent, tells, after: id = '' }: JoinStreamOptions,
): { readonly frames: readonly AguiFrame[]; readonly isOpen: boolean } {
  if (!after || after.isPrelude) {
    const ends = tells === 'end' ? 'when asked' : 'when idle'
    const timestamp = last?.ts
    const { thread } = subject
    const { events, isOpen } = preludeOf(encoder, { thread, runId, agent, ends, timestamp })
    return { frames: preludeAfter(preludeFrames(at, events), after), isOpen }
  }
  if (encoder.run) return { frames: [], isOpen: true }
  // Its reader has the end of the run, or the id of no frame.
  if (last && endsRun(last)) return { frames: [], isOpen: false }
  throw unknownPosition(id)
}

/** The record at which the run was joined, as its reader's position tells; the rest is sent again. */
function joinedAt(after: FramePosition | undefined): number | undefined {
  if (!after || after.isPrelude) return after?.seq
  // Of the position's own record some frames may be missing.
  return after.part === undefined ? after.seq : after.seq - 1
}
