import { TextSearch } from '../../faces/index.ts'
import type { Found, View } from '../../faces/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'

/** A search ends after this time, and names the next one. */
export const SEARCH_TIME_MAX_MS = 2_000

/** A place in a thread: the first record to read again, and the last record whose finds are in an answer. */
export interface PlaceInThread {
  readonly from: number
  readonly told: number
}

export interface SearchedThread {
  readonly thread: string
  readonly app: string
  readonly view: Pick<View, 'isUnfiltered' | 'record'>
}

export interface FoundInThread extends Found {
  readonly thread: string
  readonly app: string
}

export interface SearchParts {
  readonly log: Pick<EventLog, 'read' | 'readJson'>
  readonly text: string
  /** The search ends after this number of finds; the finds of one record are in one answer. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** One request's search: it reads threads until it has found enough, or its time is over. */
export class ThreadSearch {
  readonly found: FoundInThread[] = []
  /** Threads that could not be read to their end. */
  readonly unread: string[] = []
  #threads = 0
  #records = 0
  readonly #parts: SearchParts
  readonly #pace = new Pace()
  readonly #end = performance.now() + SEARCH_TIME_MAX_MS

  constructor(parts: SearchParts) {
    this.#parts = parts
  }

  get searched(): { readonly threads: number; readonly records: number } {
    return { threads: this.#threads, records: this.#records }
  }

  get isOver(): boolean {
    const { limit, signal } = this.#parts
    return this.found.length >= limit || signal.aborted || performance.now() > this.#end
  }

  /** Searches a thread from a place on. Returns the place to go on from, or nothing at its end. */
  async in(searched: SearchedThread, place?: PlaceInThread): Promise<PlaceInThread | undefined> {
    const { from, told } = place ?? { from: 0, told: -1 }
    const search = new TextSearch(this.#parts.text)
    let seq = from
    for await (const batch of this.#batches(searched, from - 1)) {
      for (const read of batch) {
        const record = recordIn(read, search)
        const shown = record && searched.view.record(record)
        const found = shown ? search.take(shown) : []
        // Records are read again for a text that began in them; their own finds are in an answer before.
        if (seq > told) this.#tell(searched, found)
        this.#records++
        seq++
        if (seq <= told + 1 || !this.#isTime) continue
        if (this.isOver) return { from: search.openSince ?? seq, told: seq - 1 }
        await this.#pace.rest()
      }
    }
    this.#tell(searched, search.end())
    this.#threads++
    return undefined
  }

  get #isTime(): boolean {
    return this.found.length >= this.#parts.limit || this.#pace.isDue
  }

  /** Records that are read as they are stored need not be parsed to be passed over. */
  #batches(
    { thread, view }: SearchedThread,
    after: number,
  ): AsyncIterable<readonly (string | LogRecord)[]> {
    const { log } = this.#parts
    const stored = view.isUnfiltered ? log.readJson?.(thread, { after }) : undefined
    return stored ?? log.read(thread, { after })
  }

  #tell({ thread, app }: SearchedThread, found: readonly Found[]): void {
    for (const each of found) this.found.push({ thread, app, ...each })
  }
}

function recordIn(read: string | LogRecord, search: TextSearch): LogRecord | undefined {
  if (typeof read !== 'string') return read
  // The log has made it from a record.
  return search.isNeeded(read) ? (JSON.parse(read) as LogRecord) : undefined
}
