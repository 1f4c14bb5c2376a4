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
