import type { EventLog, LogRecord } from '../log/index.ts'
import type { View } from '../faces/index.ts'

/** Shows the records of one thread, handed to it in their order, as frames. */
export interface FrameWriter {
  /** Takes what stands before a position that a reader joins at: what comes later may refer to it. */
  catchUp(log: EventLog, upTo: number): Promise<void>
  framesOf(records: readonly LogRecord[]): string
}

/** A record as a view shows it is one frame; one that it does not show moves the cursor only. */
export function recordFrames(view: View): FrameWriter {
  return {
    async catchUp() {},
    framesOf(records) {
      let frames = ''
      for (const record of records) {
        const visible = view.record(record)
        const data = visible ? `data: ${JSON.stringify(visible)}\n` : ''
        frames += `id: ${record.seq}\n${data}\n`
      }
      return frames
    },
  }
}

export function namedFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Bytes that many sockets share, as HTTP/1.1 chunks them and as HTTP/1.0 has to have them. */
export interface Chunk {
  readonly chunked: Buffer
  readonly plain: Buffer
}

/** One chunk, header included, so that a socket needs a single write and no copy of its own. */
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
