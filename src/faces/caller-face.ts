import { CallerView } from '../activity/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { Pace } from '../thread/index.ts'
import type { Face, FaceList, FrameWriter, ListPage, Subject } from './face.ts'
import { ownFrames, ownQuery } from './own-frames.ts'

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
      list: (subject, page) => listEvents(new CallerFrames(subject, depthMax), subject, page),
    }
  },
}

class CallerFrames implements FrameWriter {
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

/** Counted in records, of which one may give several events. */
async function listEvents(
  frames: CallerFrames,
  { thread }: Subject,
  { log, after, limit }: ListPage,
): Promise<FaceList> {
  await frames.catchUp(log, after)
  const texts: string[] = []
  let next = after
  for await (const records of log.read(thread, { after, limit })) {
    const events = records.flatMap((record) => frames.eventsOf(record))
    texts.push(...events.map((event) => JSON.stringify(event)))
    next = records.at(-1)?.seq ?? next
  }
  return { name: 'events', texts, rest: { next, head: await log.head(thread), epoch: log.epoch } }
}
