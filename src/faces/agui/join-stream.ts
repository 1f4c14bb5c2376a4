import { endsRun } from '../../activity/index.ts'
import type { Reading, Subject } from '../face.ts'
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
import { runReading } from './run-writer.ts'
import type { AguiStreamOptions } from './run-writer.ts'
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
 * Reads a thread for a client that joins it, as one run of AG-UI: history and state first, then the
 * turn that is at work, live until it ends. When none is at work the run ends at once, with the open
 * question if there is one. The same request with `after` goes on with the frame that comes after it.
 *
 * Its writers throw {@link AguiError} `unknown_position`.
 */
export function joinStream(options: JoinStreamOptions): Reading {
  return runReading(options, async (subject, back) => {
    const joined = await join(options, subject, back)
    const { encoder, after, at } = joined
    const { frames, isOpen } =
      back === undefined
        ? firstFrames(joined, options, subject)
        : { frames: [], isOpen: encoder.run !== undefined }
    return {
      encoder,
      from: at,
      first: frames,
      get isOver() {
        return !isOpen || encoder.run === undefined
      },
      take: (record) =>
        framesAfter(recordFrames(record.seq, encoder.take(record)), record.seq, after),
    }
  })
}

/** Folds a thread up to the record at which its reader joins, the `last` one. */
async function join(options: JoinStreamOptions, { thread, view }: Subject, back?: number) {
  const { log, surface, runId } = options
  const head = await log.head(thread)
  const after = options.after === undefined ? undefined : framePosition(options.after, head)
  const at = joinedAt(after) ?? back ?? head
  const encoder = new ThreadEncoder({ view, includes: (of) => of === surface })
  const last = await fold(log, { encoder, thread, upTo: at })
  encoder.follow(await view.follow(thread, at))
  if (encoder.run) encoder.run.runId = runId
  return { encoder, at, last, after }
}

/** The frames before those of further records, and whether there are any of those. */
function firstFrames(
  { encoder, at, last, after }: Awaited<ReturnType<typeof join>>,
  { runId, agent, tells, after: id = '' }: JoinStreamOptions,
  { thread }: Subject,
): { readonly frames: readonly AguiFrame[]; readonly isOpen: boolean } {
  if (!after || after.isPrelude) {
    const ends = tells === 'end' ? 'when asked' : 'when idle'
    const timestamp = last?.ts
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
