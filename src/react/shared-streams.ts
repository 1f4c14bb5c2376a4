import { headersKey, SharedStream } from './shared-stream.ts'
import type { SharedReader, StreamPlace } from './shared-stream.ts'
import type { FollowStream } from './follow-stream.ts'

/**
 * Gives the readers of one thread one stream, as long as they ask for the same: address, headers and fetch.
 * Where one of them follows the state, it is a stream with the state. A stream ends when its last reader leaves.
 *
 * A late reader first gets what the stream has brought so far. It opens a stream of its own where that is
 * not kept.
 */
export class SharedStreams {
  /** The streams that may take more readers. */
  readonly #streams = new Set<SharedStream>()

  readonly follow: FollowStream = (options, { take, fail }) => {
    const reader: SharedReader = { options, take, fail, leave: () => undefined }
    const { after: seq = -1, epoch } = options
    this.#place(reader, { seq, epoch })
    return () => reader.leave()
  }

  readonly #gather = (stream: SharedStream): void => {
    for (const other of this.#streams) if (other !== stream) other.handOverTo(stream)
  }

  readonly #place = (reader: SharedReader, place: StreamPlace): void => {
    let key: string
    try {
      key = headersKey(reader.options.headers?.())
    } catch (error) {
      return reader.fail(error)
    }
    for (const stream of this.#streams) {
      if (stream.serves(reader.options, { key, place })) return stream.join(reader, place)
    }
    const stream: SharedStream = new SharedStream(reader.options, {
      key,
      place,
      close: () => {
        this.#streams.delete(stream)
      },
      advanced: this.#gather,
      move: this.#place,
    })
    this.#streams.add(stream)
    stream.join(reader, place)
    this.#gather(stream)
  }
}

/** The streams of this page: its hooks share no provider that could hold them. */
export const STREAMS_OF_PAGE = new SharedStreams()
