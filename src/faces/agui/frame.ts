import { ThroughlineError } from '../../assert/index.ts'
import type { WireEvent } from './wire-event.ts'

/** The longest event that is sent, in bytes: stock clients stop reading at 10 MB. */
export const AGUI_FRAME_BYTES_MAX = 8_388_608

/** The most that an event has besides its state, delta or messages, in bytes. */
export const ENVELOPE_BYTES = 1_024

/** Events that may be too long for one frame. */
export interface LongEventOptions {
  readonly timestamp: number | undefined
  /** The longest event, in bytes. */
  readonly bytesMax?: number
}

/** An event and the id by which a stream goes on after it. */
export interface AguiFrame {
  /**
   * `seq` on the last frame of a record, `seq.k` with k from 0 on the frames before it. In a prelude
   * `p<seq>.<k>`, which no record has.
   */
  readonly id: string
  readonly event: WireEvent
}

/** A stream of AG-UI events that cannot go on where its reader asks. */
export class AguiError extends ThroughlineError<'unknown_position'> {
  override readonly name = 'AguiError'
}

const ID_CHARS_SHOWN = 40

export function unknownPosition(id: string): AguiError {
  const shown = id.slice(0, ID_CHARS_SHOWN)
  return new AguiError(
    'unknown_position',
    `Cannot go on after "${shown}": the run has no such frame`,
  )
}

/** A position in a stream: after a frame of a record, or after a frame of a prelude. */
export interface FramePosition {
  readonly isPrelude: boolean
  readonly seq: number
  /** Undefined after the last frame of a record. */
  readonly part: number | undefined
}

const FRAME_ID = /^(p?)(-1|0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?$/

/**
 * Reads the id of a frame of a thread with this head.
 *
 * @throws {@link AguiError} `unknown_position`
 */
export function framePosition(id: string, head: number): FramePosition {
  const [, prelude = '', seq = '', part] = FRAME_ID.exec(id) ?? []
  const isId = seq !== '' && (prelude === '' || part !== undefined)
  if (!isId || Number(seq) > head) throw unknownPosition(id)
  return {
    isPrelude: prelude !== '',
    seq: Number(seq),
    part: part === undefined ? undefined : Number(part),
  }
}

/** The events of one record as frames. */
export function recordFrames(seq: number, events: readonly WireEvent[]): readonly AguiFrame[] {
  const last = events.length - 1
  return events.map((event, at) => ({ id: at === last ? String(seq) : `${seq}.${at}`, event }))
}

/** The events of a prelude that holds the records up to `seq`, as frames. */
export function preludeFrames(seq: number, events: readonly WireEvent[]): readonly AguiFrame[] {
  return events.map((event, at) => ({ id: `p${seq}.${at}`, event }))
}

/** The frames of one record that come after a position. */
export function framesAfter(
  frames: readonly AguiFrame[],
  seq: number,
  after: FramePosition | undefined,
): readonly AguiFrame[] {
  if (!after || after.isPrelude || seq > after.seq) return frames
  if (seq < after.seq || after.part === undefined) return []
  // The last frame of a record has no part in its id.
  if (after.part >= frames.length - 1) throw unknownPosition(`${seq}.${after.part}`)
  return frames.slice(after.part + 1)
}

/** The frames of a prelude that come after a position. */
export function preludeAfter(
  frames: readonly AguiFrame[],
  after: FramePosition | undefined,
): readonly AguiFrame[] {
  const { seq, part = -1 } = after ?? {}
  if (part >= frames.length) throw unknownPosition(`p${seq}.${part}`)
  return frames.slice(part + 1)
}

/** A frame as text of a stream of server-sent events. */
export function frameText({ id, event }: AguiFrame): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`
}

/** The length of a text in UTF-8, up to a bound beyond which only "too long" is known. */
export function isLongerThan(text: string, bytesMax: number): boolean {
  if (text.length > bytesMax) return true
  // A UTF-16 unit has at most three bytes in UTF-8.
  return text.length * 3 > bytesMax && new TextEncoder().encode(text).length > bytesMax
}
