import { CallerView } from '../activity/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { Pace } from '../thread/index.ts'
import type { Face, Subject, ThreadWriter } from './face.ts'
import { listOf, ownFrames, ownQuery } from './own-frames.ts'

/** The face for callers of agents; it leaves out events of runs deeper than `?depth=`. */
export const callerFace: Face = {
  ...ownFrames,
  name: 'agent',
  reading(query) {
    const { state, depthMax } = ownQuery(query)
    return {
      key: String(depthMax),
      state,
      writer: (subject) => new CallerFrames(subject, depthMax),
      async list(subject, page) {
        const frames = new CallerFrames(subject, depthMax)
        await frames.catchUp(page.log, page.after)
        const { thread } = subject
        return listOf({ name: 'events', thread }, page, (record) => frames.eventsOf(record))
      },
    }
  },
}

class CallerFrames implements ThreadWriter {
  readonly frames = 'folded'
  readonly #subject: Subject
  readonly #depthMax: number
  readonly #events = new CallerView()
  /** The last seq that was taken. */
  #taken = -1

  constructor(subject: Subject, depthMax: number) {
    this.#subject = subject
    this.#depthMax = depthMax
  }

  async catchUp(log: EventLog, upTo: number): Promise<void> {
    if (upTo <= this.#taken) return
    const missing = { after: this.#taken, limit: upTo - this.#taken }
    const pace = new Pace()
    for await (const records of log.read(this.#subject.thread, missing)) {
      for (const record of records) this.eventsOf(record)
      await pace.rest()
    }
  }

  eventsOf(record: LogRecord): readonly CallerEvent[] {
    this.#taken = record.seq
    const visible = this.#subject.view.record(record)
    if (!visible) return []
    return this.#events.take(visible).filter(({ depth }) => depth <= this.#depthMax)
  }

  /** The last frame of a record carries its id, so that a cut never splits the record. */
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
