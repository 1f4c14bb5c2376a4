import type { EventLog, LogRecord } from '../../log/index.ts'
import { inBackground, nextTurn } from '../../platform/index.ts'
import { recordFrames } from './frame.ts'
import type { AguiFrame } from './frame.ts'
import { streamText } from './stream-text.ts'
import type { SentText, TextOptions } from './stream-text.ts'
import type { ThreadEncoder } from './thread-encoder.ts'

/** Characters that are collected for one part before it goes out, whatever more is there. */
const TICK_CHARS_MAX = 65_536

/** Follows each run that has readers once, and encodes it once for all readers with the same key. */
export class SharedRuns {
  readonly #runs = new Map<string, SharedRun>()

  /**
   * Adds a reader to the readers of the same run. Returns nothing when those are ahead of its position: it
   * has to read the missing records from the log first.
   */
  join({ key, at, runId, ...parts }: JoinParts): LiveRun | undefined {
    const open = this.#runs.get(key)
    if (open && open.seq > at) return undefined
    const closed = (): void => {
      if (this.#runs.get(key) === run) this.#runs.delete(key)
    }
    const run = open ?? new SharedRun({ ...parts, at, closed })
    this.#runs.set(key, run)
    return new Reader(run, { at, runId, options: parts.options })
  }
}

/** The rest of a run for one reader. It sends nothing before `follow`. */
export interface LiveRun {
  follow(sink: LiveSink): void
  /** Goes on after the sink was full. */
  resume(): void
  stop(): void
}

export interface LiveSink {
  /** Takes text in any case; false when that has made it full. */
  take(sent: SentText): boolean
  /** Called once: the run has ended, the log has closed, or following it failed. */
  end(how: 'complete' | 'cut', error?: unknown): void
}

/** The readers of a run have these in common, but for the signal. */
export interface FollowOptions extends TextOptions {
  readonly log: EventLog
  /** Ends the stream, without an end of its run. */
  readonly signal: AbortSignal
}

interface JoinParts {
  /** The same for readers of one turn who see the same of it. */
  readonly key: string
  readonly thread: string
  /** The last record that the reader has. */
  readonly at: number
  /** The reader's own id of the run, which its end names. */
  readonly runId: string
  /** Stands at that record. The first reader's goes on for all. */
  readonly encoder: ThreadEncoder
  readonly options: FollowOptions
}

/** The text of the records that came within one turn of the event loop. */
interface Part extends SentText {
  readonly texts: readonly { readonly seq: number; readonly text: string }[]
  /** The frames of the record that ended the run. */
  readonly last?: readonly AguiFrame[]
  readonly next: Place
}

/** A link to the next part. A reader holds its own link alone, so parts that all readers have are freed. */
interface Place {
  part?: Part
}

interface SharedRunParts extends Omit<JoinParts, 'key' | 'runId'> {
  readonly closed: () => void
}

/** Follows a run once, and hands its frames to all readers. */
class SharedRun {
  readonly #parts: SharedRunParts
  readonly #records: AsyncIterableIterator<readonly LogRecord[]>
  readonly #readers = new Set<Reader>()
  #texts: { readonly seq: number; readonly text: string }[] = []
  #chars = 0
  #isCollecting = false
  #last: readonly AguiFrame[] | undefined
  #handedOut: Promise<void> = Promise.resolve()
  #failure: unknown
  /** Where the next part will be. */
  place: Place = {}
  /** The last record that was taken. */
  seq: number

  constructor(parts: SharedRunParts) {
    this.#parts = parts
    this.seq = parts.at
    this.#records = parts.options.log.subscribe(parts.thread, { after: parts.at })
    inBackground(this.#follow())
  }

  add(reader: Reader): void {
    this.#readers.add(reader)
  }

  remove(reader: Reader): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) {
      inBackground(this.#records.return?.())
    }
  }

  async #follow(): Promise<void> {
    try {
      for await (const records of this.#records) {
        this.#take(records)
        if (this.#last) break
        if (this.#chars > TICK_CHARS_MAX) await this.#handedOut
      }
      await this.#handedOut
    } catch (error) {
      this.#fail(error)
    }
    this.#parts.closed()
    // A full reader takes the parts that are left once it has room, and then ends.
    for (const reader of this.#readers) reader.close(this.#failure)
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error
    inBackground(this.#records.return?.())
  }

  #take(records: readonly LogRecord[]): void {
    const { encoder, options } = this.#parts
    // The frames of one turn of the event loop are one write for each reader.
    if (!this.#isCollecting) this.#handedOut = this.#handLater().catch(this.#fail)
    this.#isCollecting = true
    for (const record of records) {
      const frames = recordFrames(record.seq, encoder.take(record))
      this.seq = record.seq
      if (!encoder.run) {
        this.#last = frames
        return
      }
      const text = streamText(frames, options)
      this.#texts.push({ seq: record.seq, text })
      this.#chars += text.length
    }
  }

  /** Waits for the records of one more turn of the event loop: a write costs more than its text. */
  async #handLater(): Promise<void> {
    await nextTurn()
    await nextTurn()
    this.#hand()
  }

  #hand(): void {
    const next: Place = {}
    const texts = this.#texts
    const text = texts.map((each) => each.text).join('')
    this.#texts = []
    this.#chars = 0
    this.#isCollecting = false
    this.place.part = { texts, text, ...(this.#last && { last: this.#last }), next }
    this.place = next
    for (const reader of this.#readers) reader.pump()
  }
}

type ReaderParts = Pick<JoinParts, 'at' | 'runId' | 'options'>

class Reader implements LiveRun {
  readonly #run: SharedRun
  readonly #parts: ReaderParts
  #place: Place
  #sink: LiveSink | undefined
  #isFull = false
  #isClosed = false
  #failure: unknown

  constructor(run: SharedRun, parts: ReaderParts) {
    this.#run = run
    this.#parts = parts
    this.#place = run.place
    run.add(this)
    parts.options.signal.addEventListener('abort', () => this.stop(), { once: true })
  }

  follow(sink: LiveSink): void {
    this.#sink = sink
    this.pump()
  }

  resume(): void {
    this.#isFull = false
    this.pump()
  }

  stop(): void {
    this.#run.remove(this)
    this.#end('cut')
  }

  close(failure: unknown): void {
    this.#isClosed = true
    this.#failure = failure
    this.pump()
  }

  /** Sends the parts that have come, until the sink is full. */
  pump(): void {
    while (this.#sink && !this.#isFull) {
      const { part } = this.#place
      if (!part) break
      this.#place = part.next
      this.#send(after(part, this.#parts.at))
      if (part.last) return this.#finish(part.last)
    }
    if (this.#isClosed && !this.#isFull && !this.#place.part) this.#end('cut', this.#failure)
  }

  #finish(last: readonly AguiFrame[]): void {
    const { runId, options } = this.#parts
    this.#send({ text: streamText(named(last, runId), options) })
    this.#run.remove(this)
    this.#end('complete')
  }

  #send(sent: SentText): void {
    if (sent.text !== '' && this.#sink?.take(sent) === false) this.#isFull = true
  }

  #end(how: 'complete' | 'cut', error?: unknown): void {
    const sink = this.#sink
    this.#sink = undefined
    sink?.end(how, error)
  }
}

/** The text of a part after a position: the shared part itself where the reader needs all of it. */
function after(part: Part, at: number): SentText {
  const [first] = part.texts
  if (!first || first.seq > at) return part
  return { text: part.texts.map(({ seq, text }) => (seq > at ? text : '')).join('') }
}

/** The end of a run under the id that its reader has given it. */
function named(frames: readonly AguiFrame[], runId: string): readonly AguiFrame[] {
  return frames.map(({ id, event }) =>
    event.type === 'RUN_FINISHED' ? { id, event: { ...event, runId } } : { id, event },
  )
}
