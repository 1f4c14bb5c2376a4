import { CallerView } from '../agui/index.ts'
import type { CallerEvent } from '../agui/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import type { ThreadFace } from './application.ts'
import type { Role } from './tokens.ts'

export interface CallerReading {
  readonly thread: string
  readonly face: ThreadFace
  readonly role: Role
  /** Events from deeper runs are left out. */
  readonly depthMax: number
}

/** Reads a thread as the events that a caller of agents sees, as far as a role may see its records. */
export class CallerReader {
  readonly #reading: CallerReading
  readonly #view = new CallerView()

  constructor(reading: CallerReading) {
    this.#reading = reading
  }

  /** Takes what stands before the position that a reader joins at: what comes later refers to it. */
  async catchUp(log: EventLog, after: number): Promise<void> {
    if (after < 0) return
    for await (const records of log.read(this.#reading.thread, { limit: after + 1 })) {
      for (const record of records) this.eventsOf(record)
    }
  }

  eventsOf(record: LogRecord): readonly CallerEvent[] {
    const { face, role, depthMax } = this.#reading
    const visible = face.record(record, role)
    if (!visible) return []
    return this.#view.take(visible).filter(({ depth }) => depth <= depthMax)
  }

  /** The frames of one record: its id stands on the last one only, so that a cut never splits it. */
  framesOf(record: LogRecord): Buffer {
    const events = this.eventsOf(record)
    const frames = events.map((event) => `data: ${JSON.stringify(event)}\n`)
    const last = frames.pop() ?? ''
    return Buffer.from(
      [...frames, `id: ${record.seq}\n${last}`].map((text) => `${text}\n`).join(''),
    )
  }
}
