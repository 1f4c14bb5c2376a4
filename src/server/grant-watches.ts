import type { EventLog, LogRecord } from '../log/index.ts'
import type { IssuedGrant } from './tokens.ts'

/** The longest wait of a timer, in milliseconds: a token may live longer. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** A grant that is in use. */
export interface GrantWatch {
  /** Fires once the grant has ended. */
  readonly signal: AbortSignal
  readonly end: () => void
  /** To be called when the grant is not used any more. */
  readonly release: () => void
}

interface WatchedThread {
  readonly records: AsyncIterableIterator<readonly LogRecord[]>
  readonly watches: Set<OpenWatch>
}

interface OpenWatch {
  readonly grant: IssuedGrant
  readonly end: () => void
}

/** Follows the threads in which grants are in use, once each, for records that end one. */
export class GrantWatches {
  readonly #log: EventLog
  readonly #ends: (record: LogRecord, grant: IssuedGrant) => boolean
  readonly #threads = new Map<string, WatchedThread>()

  constructor(log: EventLog, ends: (record: LogRecord, grant: IssuedGrant) => boolean) {
    this.#log = log
    this.#ends = ends
  }

  /** Sees every record that is appended after this has resolved. */
  async open(grant: IssuedGrant): Promise<GrantWatch> {
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
      void watched.records.return?.()
    }
    return { signal: abort.signal, end, release }
  }

  #follow(thread: string, after: number): WatchedThread {
    const records = this.#log.subscribe(thread, { after })
    const watched = { records, watches: new Set<OpenWatch>() }
    this.#threads.set(thread, watched)
    const lost = (): void => {
      this.#forget(thread, watched)
      // Who cannot hear of an end must not go on as if there was none.
      for (const { end } of watched.watches) end()
    }
    this.#read(watched).then(lost, lost)
    return watched
  }

  #forget(thread: string, watched: WatchedThread): void {
    if (this.#threads.get(thread) === watched) this.#threads.delete(thread)
  }

  async #read({ records, watches }: WatchedThread): Promise<void> {
    for await (const batch of records) {
      for (const record of batch) {
        for (const watch of watches) this.#check(record, watch)
      }
    }
  }

  #check(record: LogRecord, { grant, end }: OpenWatch): void {
    if (this.#ends(record, grant)) end()
  }
}

/** Calls back at a time that may be further away than a timer reaches; gives what calls it off. */
function whenReached(time: number, reached: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const arm = (): void => {
    const left = time - Date.now()
    timer = left <= 0 ? setTimeout(reached) : setTimeout(arm, Math.min(left, TIMER_MAX_MS))
  }
  arm()
  return () => clearTimeout(timer)
}
