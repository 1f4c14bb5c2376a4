import type { JsonObject } from '../json/index.ts'
import { broken } from './client-error.ts'
import { FRAME_CHARS_MAX } from './frames.ts'
import type { Frame } from './frames.ts'
import { payload, position, text } from './payload.ts'
import type { Item, ThreadReset, ThreadStatus, Update } from './thread-update.ts'
import type { ReadFrames } from './view.ts'

/** A reader's place in a thread's history: what each frame means depends on it, and moves it. */
export class Cursor<Shown extends Item> {
  readonly #frames: ReadFrames<Shown>
  #seq: number
  #epoch: string | undefined
  #greeting: 'awaited' | 'served' | 'reset_awaited' = 'awaited'
  /** Frames of a position whose last one, which carries the id, is still to come. */
  #held: string[] = []
  #heldChars = 0

  constructor(
    start: { readonly after: number; readonly epoch: string | undefined },
    frames: ReadFrames<Shown>,
  ) {
    this.#seq = start.after
    this.#epoch = start.epoch
    this.#frames = frames
  }

  /** Whether the connection shows the thread from the reader's position on. */
  get isLive(): boolean {
    return this.#greeting === 'served'
  }

  /** Where the next connection begins, as its query. */
  connecting(): string {
    this.#greeting = 'awaited'
    // A position that was cut off comes again whole.
    this.#release()
    const query = new URLSearchParams({ after: String(this.#seq) })
    if (this.#epoch !== undefined) query.set('epoch', this.#epoch)
    return query.toString()
  }

  /**
   * Returns the update of a frame: none when the reader has it already, or cannot have it
   * before more frames have come.
   *
   * @throws {@link ClientError} `protocol`; the cursor has not moved, so it can be served again
   */
  take(frame: Frame & { type: 'frame' }): Update<Shown> | undefined {
    if (frame.event === 'hello') return this.#hello(payload(frame))
    if (this.#greeting === 'awaited') throw broken('no hello came first')
    if (frame.event === 'reset') return this.#reset(payload(frame))
    if (frame.event !== undefined && frame.event !== 'state') {
      // Other named frames are the application's, or a newer server's.
      return this.#frames.readCarried?.(frame.event, payload(frame))
    }
    if (this.#greeting === 'reset_awaited') throw broken('no reset came first')
    if (frame.event === 'state') return this.#frames.readState?.(payload(frame))
    if (frame.data !== undefined) this.#hold(frame.data)
    return frame.id === undefined ? undefined : this.#position(frame.id, this.#release())
  }

  #hello(data: JsonObject): ThreadStatus | undefined {
    const place = placeIn(data)
    const { epoch, head } = place
    const known = this.#seq === -1 || this.#epoch === undefined || this.#epoch === epoch
    // Without this check, another history's records would look like duplicates and be lost.
    this.#greeting = known && this.#seq <= head ? 'served' : 'reset_awaited'
    if (this.#greeting === 'reset_awaited') return undefined
    this.#epoch = epoch
    return { type: 'status', status: 'live', ...place }
  }

  #reset(data: JsonObject): ThreadReset {
    const state = data['state']
    if (state === undefined) throw broken('no state came')
    const reset = {
      type: 'reset',
      reason: text(data['reason'], 'reason'),
      ...placeIn(data),
      state,
    } as const
    this.#seq = reset.head
    this.#epoch = reset.epoch
    this.#greeting = 'served'
    return reset
  }

  #hold(data: string): void {
    this.#held.push(data)
    this.#heldChars += data.length
    if (this.#heldChars <= FRAME_CHARS_MAX) return
    throw broken(`a record exceeds ${FRAME_CHARS_MAX} characters`)
  }

  #release(): readonly string[] {
    const held = this.#held
    this.#held = []
    this.#heldChars = 0
    return held
  }

  #position(id: string, frames: readonly string[]): Update<Shown> | undefined {
    const seq = /^\d{1,15}$/.test(id) ? Number(id) : -1
    if (seq === -1) throw broken(`"${id.slice(0, 20)}" is no position`)
    if (seq <= this.#seq) return undefined
    if (seq > this.#seq + 1) throw broken(`after seq ${this.#seq} came seq ${seq}`)
    const update =
      frames.length === 0 ? ({ type: 'cursor', seq } as const) : this.#frames.read(seq, frames)
    this.#seq = seq
    return update
  }
}

function placeIn({ epoch, head, erasedAt }: JsonObject) {
  return {
    epoch: text(epoch, 'epoch'),
    head: position(head, 'head'),
    ...(typeof erasedAt === 'number' && { erasedAt }),
  }
}
