import { LogError } from '../log/index.ts'
import type { Appended, Draft, LogRecord } from '../log/index.ts'

/** Appends, and characters of theirs, that may wait for the next commit. */
export const PENDING_APPENDS_MAX = 10_000
export const PENDING_CHARS_MAX = 134_217_728
/** Events after which one transaction takes no further append. */
export const GROUP_EVENTS_MAX = 4_096
/** How long a file that somebody else holds is tried again, and how often. */
export const BUSY_WAIT_MAX_MS = 5_000
const BUSY_RETRY_MS = 5

export interface Append {
  readonly thread: string
  readonly drafts: readonly Draft[]
  readonly expectedVersion?: number
}

export type Outcome =
  | { readonly status: 'appended'; readonly appended: Appended }
  | { readonly status: 'refused'; readonly error: LogError }

export interface QueueParts {
  /** Commits a group in one transaction, or throws a `LogError` and stores nothing of it. */
  readonly commit: (group: readonly Append[]) => readonly Outcome[]
  /** Hears of each group that was committed, before its writers do. */
  readonly committed: (group: readonly Append[], outcomes: readonly Outcome[]) => void
  /** Hears once of the failure after which nothing is appended any more. */
  readonly failed: (error: LogError) => void
}

interface Waiting {
  readonly append: Append
  readonly chars: number
  readonly resolve: (records: readonly LogRecord[]) => void
  readonly reject: (error: LogError) => void
}

/**
 * Group commit: what is appended in one turn of the event loop shares one transaction. A failure that
 * is not understood is final: nobody can tell any more what the disk holds.
 */
export class AppendQueue {
  readonly #parts: QueueParts
  #waiting: Waiting[] = []
  #chars = 0
  #turn: NodeJS.Immediate | undefined
  #retry: NodeJS.Timeout | undefined
  #busySince: number | undefined
  #failure: LogError | undefined
  #draining = false

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  get failed(): boolean {
    return this.#failure !== undefined
  }

  push(append: Append): Promise<readonly LogRecord[]> {
    if (this.#failure) return Promise.reject(sameAgain(append.thread, this.#failure))
    const chars = append.drafts.reduce((sum, { json }) => sum + json.length, 0)
    const full =
      this.#waiting.length >= PENDING_APPENDS_MAX || this.#chars + chars > PENDING_CHARS_MAX
    // One append alone is always taken, or a large one could never be.
    if (full && this.#waiting.length > 0) return Promise.reject(tooMany(append.thread))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, chars, resolve, reject })
      this.#chars += chars
      this.#schedule()
    })
  }

  /** Commits what waits, in one go; what the file is too busy for is refused. */
  drain(): void {
    clearImmediate(this.#turn)
    clearTimeout(this.#retry)
    this.#draining = true
    while (this.#waiting.length > 0) this.#flush()
  }

  /** Refuses what waits and all that comes. */
  fail(error: LogError): void {
    if (this.#failure) return
    this.#failure = error
    clearImmediate(this.#turn)
    clearTimeout(this.#retry)
    for (const { append, reject } of this.#take(Infinity)) reject(sameAgain(append.thread, error))
    this.#parts.failed(error)
  }

  #schedule(): void {
    if (this.#retry) return
    this.#turn ??= setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#turn = undefined
    this.#retry = undefined
    const group = this.#take(GROUP_EVENTS_MAX)
    if (group.length === 0) return
    const appends = group.map(({ append }) => append)
    let outcomes: readonly Outcome[]
    try {
      outcomes = this.#parts.commit(appends)
    } catch (error) {
      // `commit` throws nothing else.
      return this.#giveUp(group, error as LogError)
    }
    this.#busySince = undefined
    this.#parts.committed(appends, outcomes)
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index]
      if (outcome?.status === 'appended') resolve(outcome.appended.records)
      else if (outcome) reject(outcome.error)
    }
    if (this.#waiting.length > 0) this.#schedule()
  }

  #giveUp(group: readonly Waiting[], error: LogError): void {
    this.#busySince ??= performance.now()
    const patience = this.#draining ? 0 : BUSY_WAIT_MAX_MS
    if (error.code === 'busy' && performance.now() - this.#busySince < patience) {
      this.#waiting.unshift(...group)
      for (const { chars } of group) this.#chars += chars
      this.#retry = setTimeout(() => this.#flush(), BUSY_RETRY_MS)
      return
    }
    for (const { reject } of group) reject(error)
    if (error.code !== 'busy' && error.code !== 'storage_full') return this.fail(error)
    this.#busySince = undefined
    if (this.#waiting.length > 0) this.#schedule()
  }

  #take(eventsMax: number): readonly Waiting[] {
    let count = 0
    for (let events = 0; count < this.#waiting.length && events < eventsMax; count++) {
      events += this.#waiting[count]?.append.drafts.length ?? 0
    }
    const group = this.#waiting.splice(0, count)
    for (const { chars } of group) this.#chars -= chars
    return group
  }
}

function sameAgain(thread: string, failure: LogError): LogError {
  return new LogError(
    failure.code,
    `Cannot append to "${thread}": the log has failed (${failure.message})`,
    { cause: failure },
  )
}

function tooMany(thread: string): LogError {
  return new LogError('busy', `Cannot append to "${thread}": too much is waiting for the disk`)
}
