import type { EventLog, LogRecord } from '../../log/index.ts'
import { inBackground } from '../../platform/index.ts'

/** The longest wait of a timer, in milliseconds: a token may live longer. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** A grant that ends at a time, or by a record of a thread. */
interface Watchable {
  readonly thread: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface GrantWatch {
  readonly signal: AbortSignal
  readonly release: () => void
}

interface WatchedThread<Grant> {
  readonly records: AsyncIterableIterator<readonly LogRecord[]>
  readonly watches: Set<OpenWatch<Grant>>
}

interface OpenWatch<Grant> {
  readonly grant: Grant
  readonly end: () => void
}

/** Ends grants that are in use: follows each of their threads once, for the records that end one. */
export class GrantWatches<Grant extends Watchable> {
  readonly #log: EventLog
  readonly #ends: (record: LogRecord, grant: Grant) => boolean
  readonly #threads = new Map<string, WatchedThread<Grant>>()

  constructor(log: EventLog, ends: (record: LogRecord, grant: Grant) => boolean) {
    this.#log = log
    this.#ends = ends
  }

  /** Watches a grant, which may have ended before the first record that is seen. */
  async open(grant: Grant, hasEnded: () => Promise<boolean>): Promise<GrantWatch> {
    const head = await this.#log.head(grant.thread)
    const abort = new AbortController()
    const end = (): void => abort.abort()
    const watch = { grant, end }
    const watched = this.#threads.get(grant.thread) ?? this.#follow(grant.thread, head)
    watched.watches.add(watch)
    const stopTimer = whenReached(grant.expiresAt, end)
    const release = (): void => {
      stopTimer()
      watched.watches.delete(watch)
      if (watched.watches.size > 0) return
      this.#forget(grant.thread, watched)
      inBackground(watched.records.return?.())
    }
    try {
      // Asked once every later record is seen.
      if (await hasEnded()) end()
      return { signal: abort.signal, release }
    } catch (error) {
      release()
      throw error
    }
  }

  #follow(thread: string, after: number): WatchedThread<Grant> {
    const records = this.#log.subscribe(thread, { after })
    const watched = { records, watches: new Set<OpenWatch<Grant>>() }
    this.#threads.set(thread, watched)
    const lost = (): void => {
      this.#forget(thread, watched)
      // A grant whose end would go unnoticed must not stay in use.
      for (const { end } of watched.watches) end()
    }
    this.#read(watched).then(lost, lost)
    return watched
  }

  #forget(thread: string, watched: WatchedThread<Grant>): void {
    if (this.#threads.get(thread) === watched) this.#threads.delete(thread)
  }

  async #read({ records, watches }: WatchedThread<Grant>): Promise<void> {
    for await (const batch of records) {
      for (const record of batch) {
        for (const watch of watches) this.#check(record, watch)
      }
    }
  }

  #check(record: LogRecord, { grant, end }: OpenWatch<Grant>): void {
    if (this.#ends(record, grant)) end()
  }
}

/** Calls back at a time, which may be later than a timer reaches. Returns a function that cancels it. */
function whenReached(time: number, reached: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const arm = (): void => {
    const left = time - Date.now()
    timer = left <= 0 ? setTimeout(reached) : setTimeout(arm, Math.min(left, TIMER_MAX_MS))
  }
  arm()
  return () => clearTimeout(timer)
}
