import { CallerView } from '../activity/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import { Pace } from '../thread/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import type { View } from './view.ts'
import type { FrameWriter } from './record-frames.ts'

export interface CallerReading {
  readonly thread: string
  readonly view: View
  /** Events from deeper runs are left out. */
  readonly depthMax: number
}

/** Reads a thread as the events that a caller of agents sees, as far as a view shows its records. */
export class CallerReader implements FrameWriter {
  readonly #reading: CallerReading
  readonly #events = new CallerView()
  /** The last seq that was taken. */
  #taken = -1

  constructor(reading: CallerReading) {
    this.#reading = reading
  }

  get depthMax(): number {
    return this.#reading.depthMax
  }

  /** The same, before the first record. */
  afresh(): CallerReader {
    return new CallerReader(this.#reading)
  }

  async catchUp(log: EventLog, upTo: number): Promise<void> {
    if (upTo <= this.#taken) return
    const missing = { after: this.#taken, limit: upTo - this.#taken }
    const pace = new Pace()
    for await (const records of log.read(this.#reading.thread, missing)) {
      for (const record of records) this.eventsOf(record)
      await pace.rest()
    }
  }

  eventsOf(record: LogRecord): readonly CallerEvent[] {
    const { view, depthMax } = this.#reading
    this.#taken = record.seq
    const visible = view.record(record)
    if (!visible) return []
    return this.#events.take(visible).filter(({ depth }) => depth <= depthMax)
  }

  /** A record's id stands on the last of its frames only, so that a cut never splits it. */
  framesOf(records: readonly LogRecord[]): string {
    let frames = ''
    for (const record of records) {
      const [last, ...earlier] = this.eventsOf(record).toReversed()
      for (const event of earlier.toReversed()) frames += `data: ${JSON.stringify(event)}\n\n`
      const data = last ? `data: ${JSON.stringify(last)}\n` : ''
      frames += `id: ${record.seq}\n${data}\n`
    }
    return frames
  }
}
