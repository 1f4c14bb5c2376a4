import type {
  CarriedFrame,
  StatefulUpdate,
  ThreadRecord,
  ThreadState,
  ThreadStatus,
} from '../client/index.ts'
import { followAlone } from './follow-stream.ts'
import type { StreamOptions, StreamReader } from './follow-stream.ts'

/** Records that a shared stream keeps for late readers. */
export const SHARED_RECORDS_MAX = 5_000

export interface StreamPlace {
  readonly seq: number
  readonly epoch: string | undefined
}

/** One reader of a stream. */
export interface SharedReader extends StreamReader {
  readonly options: StreamOptions
  leave: () => void
}

interface SharedStreamParts {
  readonly key: string
  readonly place: StreamPlace
  /** Takes the stream from those that readers may join. */
  readonly close: () => void
  /** Called when the stream has come further: it may serve readers of others by now. */
  readonly advanced: (stream: SharedStream) => void
  /** Gives a reader another stream. */
  readonly move: (reader: SharedReader, place: StreamPlace) => void
}

/** The options that readers of one stream have in common, besides their headers. */
const SHARED_OPTIONS = ['url', 'fetch', 'random', 'sleep', 'silenceMaxMs'] as const

type SentHeaders = Readonly<Record<string, string>>

/** One stream, its readers, and the updates that a late one needs. */
export class SharedStream {
  readonly #options: StreamOptions
  readonly #parts: SharedStreamParts
  readonly #readers = new Set<SharedReader>()
  readonly #end: () => void
  #key: string
  #place: StreamPlace
  /** The records after `#keptAfter`. */
  #records: ThreadRecord[] = []
  #keptAfter: number
  #status: ThreadStatus = { type: 'status', status: 'connecting' }
  #live: Extract<ThreadStatus, { status: 'live' }> | undefined
  #state: ThreadState | undefined
  readonly #carried = new Map<string, CarriedFrame>()

  constructor(options: StreamOptions, parts: SharedStreamParts) {
    this.#options = options
    this.#parts = parts
    this.#key = parts.key
    this.#place = parts.place
    this.#keptAfter = parts.place.seq
    const { seq: after, epoch } = parts.place
    const cursor = { after, ...(epoch !== undefined && { epoch }) }
    this.#end = followAlone(
      { ...options, ...cursor, headers: () => this.#newestHeaders() },
      { take: (update) => this.#take(update), fail: (error) => this.#fail(error) },
    )
  }

  /** Whether a reader at this place would get the same from this stream as from one of its own. */
  serves(
    options: StreamOptions,
    { key, place }: Pick<SharedStreamParts, 'key' | 'place'>,
  ): boolean {
    const isSame =
      key === this.#key && SHARED_OPTIONS.every((name) => options[name] === this.#options[name])
    const hasState = options.state !== true || this.#options.state === true
    const isKept = this.#keptAfter <= place.seq && place.seq <= this.#place.seq
    const isOfLog = place.epoch === this.#place.epoch || (!place.epoch && this.#live !== undefined)
    return isSame && hasState && isKept && isOfLog
  }

  join(reader: SharedReader, { seq }: StreamPlace): void {
    this.#readers.add(reader)
    reader.leave = () => this.#leave(reader)
    for (const update of this.#updatesAfter(seq)) give(reader, update)
  }

  /** Leaves its readers to a stream that brings them more than this one, where it serves them all. */
  handOverTo(stream: SharedStream): void {
    const [key, place] = [this.#key, this.#place]
    const readers = [...this.#readers]
    const isMore = stream.#options.state === true && this.#options.state !== true
    if (!isMore || !readers.every(({ options }) => stream.serves(options, { key, place }))) return
    this.#readers.clear()
    this.#parts.close()
    this.#end()
    for (const reader of readers) stream.join(reader, place)
  }

  #leave(reader: SharedReader): void {
    if (!this.#readers.delete(reader)) return
    // A reader that leaves to try again at once must not come back to the pause that it left.
    if (this.#readers.size === 0 || this.#status.status === 'reconnecting') this.#parts.close()
    if (this.#readers.size === 0) this.#end()
  }

  /** Yields the updates that bring a reader at this seq up to date with the stream. */
  *#updatesAfter(seq: number): Generator<StatefulUpdate> {
    if (this.#live) {
      yield { ...this.#live, head: Math.max(this.#live.head, this.#place.seq) }
      yield* this.#records.filter(({ record }) => record.seq > seq)
      if (this.#place.seq > seq) yield { type: 'cursor', seq: this.#place.seq }
      if (this.#state) yield this.#state
      yield* this.#carried.values()
    }
    if (this.#status !== this.#live) yield this.#status
  }

  #take(update: StatefulUpdate): void {
    this.#keep(update)
    for (const reader of this.#readers) give(reader, update)
    this.#parts.advanced(this)
  }

  #keep(update: StatefulUpdate): void {
    switch (update.type) {
      case 'record':
        this.#records.push(update)
        if (this.#records.length > SHARED_RECORDS_MAX) this.#forget(update.record.seq)
        return this.#moveTo(update.record.seq)
      case 'cursor':
        return this.#moveTo(update.seq)
      case 'state':
        this.#state = update
        return undefined
      case 'carried':
        this.#carried.set(update.name, update)
        return undefined
      case 'status':
        return this.#keepStatus(update)
      case 'reset':
        this.#place = { seq: update.head, epoch: update.epoch }
        // A stream of its own brings a late reader the whole thread.
        return this.#parts.close()
    }
  }

  #keepStatus(status: ThreadStatus): void {
    this.#status = status
    if (status.status === 'refused') this.#parts.close()
    if (status.status !== 'live') return
    this.#live = status
    this.#place = { ...this.#place, epoch: status.epoch }
  }

  #moveTo(seq: number): void {
    this.#place = { ...this.#place, seq }
  }

  #forget(seq: number): void {
    this.#records = []
    this.#keptAfter = seq
  }

  #fail(error: unknown): void {
    for (const reader of this.#readers) this.#failReader(reader, error)
  }

  #failReader(reader: SharedReader, error: unknown): void {
    this.#leave(reader)
    reader.fail(error)
  }

  /** The newest headers. Readers who would send others by now get another stream. */
  #newestHeaders(): SentHeaders {
    const all = [...this.#readers].map((reader) => ({ reader, headers: this.#headersOf(reader) }))
    const newest = all.find(({ headers }) => headers !== undefined)?.headers ?? {}
    const key = headersKey(newest)
    this.#use(key)
    for (const { reader, headers } of all) {
      if (headers === undefined || headersKey(headers) === key) continue
      this.#readers.delete(reader)
      this.#parts.move(reader, this.#place)
    }
    return newest
  }

  #headersOf(reader: SharedReader): SentHeaders | undefined {
    try {
      return reader.options.headers?.() ?? {}
    } catch (error) {
      this.#failReader(reader, error)
      return undefined
    }
  }

  #use(key: string): void {
    if (key === this.#key) return
    this.#key = key
    // Updates for other headers may hold more than a late reader with these may see.
    this.#forget(this.#place.seq)
    this.#state = undefined
    this.#carried.clear()
  }
}

/** A reader that does not follow the state may share a stream with one that does. */
function give({ options, take }: SharedReader, update: StatefulUpdate): void {
  const isOfState = update.type === 'state' || update.type === 'carried'
  if (!isOfState || options.state) take(update)
}

export function headersKey(headers: SentHeaders | undefined = {}): string {
  return JSON.stringify(Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
