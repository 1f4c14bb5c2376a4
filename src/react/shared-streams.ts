import { headersKey, SharedStream } from './shared-stream.ts'
import type { SharedReader, StreamPlace } from './shared-stream.ts'
import type { FollowStream } from './follow-stream.ts'

/**
 * Gives the readers of one thread one stream, as long as they ask for the same: address, headers, state
 * and fetch. A stream ends when its last reader leaves.
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
      move: this.#place,
    })
    this.#streams.add(stream)
    stream.join(reader, place)
  }
}

/** The streams of this page: its hooks share no provider that could hold them. */
export const STREAMS_OF_PAGE = new SharedStreams()
