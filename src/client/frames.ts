import { type EventSourceParser, createParser } from 'eventsource-parser'
import { broken } from './client-error.ts'

/** Characters of one frame: above the largest record and the largest state after a reset. */
export const FRAME_CHARS_MAX = 8 * 1024 * 1024
/** Bytes decoded at a time: bounds what waits for the reader, however large the platform's chunks. */
const SLICE_BYTES_MAX = 65_536

export type Frame =
  | { readonly type: 'comment'; readonly text: string }
  /** A frame may carry its id alone: then `data` is absent. */
  | {
      readonly type: 'frame'
      readonly event?: string | undefined
      readonly id?: string | undefined
      readonly data?: string | undefined
    }

/** Splits the bytes of one connection into frames. A frame that the connection cuts off never shows. */
export class FrameReader {
  readonly #decoder = new TextDecoder()
  #frames: Frame[] = []
  #tooLarge = false
  readonly #parser: EventSourceParser

  /** @param onRetry learns the pause that the server asks for, in milliseconds */
  constructor(onRetry?: (delayMs: number) => void) {
    this.#parser = createParser({
      maxBufferSize: FRAME_CHARS_MAX,
      onRetry,
      onComment: (text) => this.#frames.push({ type: 'comment', text }),
      onId: (id) => this.#frames.push({ type: 'frame', id }),
      onEvent: ({ event, id, data }) => {
        // The parser has just announced the id of this same frame.
        if (id !== undefined) this.#frames.pop()
        this.#frames.push({ type: 'frame', event, id, data })
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#tooLarge = true
      },
    })
  }

  /** @throws {@link ClientError} `protocol` after the frames that were still whole */
  *feed(bytes: Uint8Array): Generator<readonly Frame[]> {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES_MAX) {
      const slice = bytes.subarray(at, at + SLICE_BYTES_MAX)
      this.#parser.feed(this.#decoder.decode(slice, { stream: true }))
      const frames = this.#frames
      this.#frames = []
      yield frames
      if (this.#tooLarge) throw broken(`a frame exceeds ${FRAME_CHARS_MAX} characters`)
    }
  }
}
