import type { EventLog, LogRecord } from '../log/index.ts'
import type { View } from './view.ts'

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
