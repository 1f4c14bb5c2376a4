export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A middleware that compresses would hold frames back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** The destination of one stream's frames: a reader at the other end of a connection. */
export interface Sink {
  /** Whether the reader has gone, or the stream was ended. */
  readonly closed: boolean
  /** Calls back once it has closed; at once, when it has closed already. */
  onceClosed(callback: () => void): void
  /** Begins the answer with these frames. False when the request wants its head alone: then it ends. */
  begin(frames: string): boolean
  /** Takes a chunk in any case; false when that has made it full. */
  write(chunk: Chunk): boolean
  /** Calls back once when a full sink has room again. */
  onceDrained(callback: () => void): void
  /** Takes a chunk; nothing when it has left at once, else resolves once the next one may come. */
  flush(chunk: Chunk): Promise<unknown> | undefined
  /** Ends the answer after the last write: the stream is complete. */
  finish(): void
  /** Ends the answer; bytes that wait in the sink may be lost. */
  end(): void
}

/** Bytes that many sockets share, as HTTP/1.1 chunks them and as HTTP/1.0 has to have them. */
export interface Chunk {
  readonly chunked: Buffer
  readonly plain: Buffer
}

/** Makes one chunk, header included, so that a socket needs a single write and no copy. */
export function chunkOf(frames: string): Chunk {
  const bytes = Buffer.byteLength(frames)
  const header = `${bytes.toString(16)}\r\n`
  const chunked = Buffer.allocUnsafe(header.length + bytes + 2)
  chunked.write(header, 'latin1')
  // Text of one byte a character is copied; encoding it would take twice as long.
  chunked.write(frames, header.length, bytes === frames.length ? 'latin1' : 'utf8')
  chunked.write('\r\n', header.length + bytes, 'latin1')
  return { chunked, plain: chunked.subarray(header.length, header.length + bytes) }
}
