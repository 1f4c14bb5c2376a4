import { mayPass } from '../log/index.ts'
import type { IndexedThread, RankedThread, ThreadIndex, ThreadQuery } from '../log/index.ts'
import { startIdleInterval } from '../platform/index.ts'
import { IndexPass, WAITS, hasIndex } from './thread-index-pass.ts'
import type { IndexPassParts } from './thread-index-pass.ts'
import { cursorOf, placeOf } from './threads-cursor.ts'
import { checkedQuery } from './threads-query.ts'
import type { ThreadsCountQuery, ThreadsQuery } from './threads-query.ts'

const PASS_INTERVAL_MS = 1_000

/** Threads that one list looks at for a reader who may not enter all of them. */
export const THREADS_LOOKED_AT_MAX = 1_000
/** Of those, the ones that are looked at together. */
const LOOKS_AT_ONCE = 50

/** Returns what its reader may see of a thread, or nothing. */
export type LookAt<Shown> = (thread: IndexedThread) => Promise<Shown | undefined>

/** What a reader may see of a thread, and the `after` of those behind it; nothing where it is the last one. */
export interface LookedAt<Shown> {
  readonly shown: Shown | undefined
  readonly next: () => string | undefined
}

export interface ThreadsPage {
  /** The thread that moved last first, or by `orderBy`. */
  readonly threads: readonly IndexedThread[]
  /** The `after` of the next page; absent on the last one. */
  readonly next?: string
}

/** The threads of all applications, found by what the applications declare in their index. */
export class ThreadList {
  readonly #parts: IndexPassParts
  readonly #pass: IndexPass
  #stop = new AbortController()
  #cancelTimer: (() => void) | undefined
  #isStopped = false
  #isPassing = false
  #hasFailed = false
  #last: Promise<boolean> = Promise.resolve(true)
  #waiting: Promise<boolean> | undefined

  constructor(parts: IndexPassParts) {
    this.#parts = parts
    this.#pass = new IndexPass(parts)
  }

  /** Keeps the index up to date in the background, where an application declares one. */
  start(): void {
    if (this.#parts.apps.some(({ app }) => hasIndex(app))) this.#follow()
  }

  /**
   * Lists threads, with everything that was appended before the call.
   *
   * @throws {@link ApplicationError} `unknown_app`, `invalid_query`, {@link LogError} as reading does
   */
  async list(asked: ThreadsQuery): Promise<ThreadsPage> {
    const page = await this.#list(asked)
    return { ...page, threads: page.threads.map(withoutWaits) }
  }

  /**
   * Looks at threads for a reader who may not enter all of them, in the order of `list`: at
   * {@link THREADS_LOOKED_AT_MAX} at most. Its `limit` does not count.
   *
   * @throws {@link ApplicationError} as `list` does
   */
  async *walk<Shown>(
    asked: ThreadsQuery,
    look: LookAt<Shown>,
  ): AsyncGenerator<LookedAt<Shown>, undefined> {
    let { after } = asked
    for (let looked = 0; looked < THREADS_LOOKED_AT_MAX; looked += LOOKS_AT_ONCE) {
      const given = { ...asked, limit: LOOKS_AT_ONCE, ...(after !== undefined && { after }) }
      const { rows, next, cursorOf } = await this.#rows(given)
      const seen = await Promise.all(rows.map((row) => look(withoutWaits(withoutRank(row)))))
      for (const [at, row] of rows.entries()) {
        const isLast = next === undefined && at === rows.length - 1
        yield { shown: seen[at], next: () => (isLast ? undefined : cursorOf(row)) }
      }
      if (next === undefined) return
      after = next
    }
  }

  /**
   * Counts threads, with everything that was appended before the call.
   *
   * @throws {@link ApplicationError} as `list` does
   */
  async count(asked: ThreadsCountQuery): Promise<number> {
    const query = this.#checked(asked)
    return this.#read((index, generation) => index.count(generation, query))
  }

  /** The same of the threads in which somebody may answer. */
  waiting(asked: Omit<ThreadsQuery, 'where'>): Promise<ThreadsPage> {
    return this.#list(asked, { [WAITS]: [true] })
  }

  /** Brings the index up to date, and leaves nothing of its earlier values in its files. */
  async scrub(): Promise<void> {
    if (!this.#parts.apps.some(({ app }) => hasIndex(app))) return
    await this.#advance()
    await this.#pass.index.scrub()
  }

  /** Differs once threads have moved, in this process or another. */
  async position(): Promise<string> {
    await this.#advance()
    this.#follow()
    return this.#pass.position
  }

  async #list(asked: ThreadsQuery, ours: ThreadQuery['where'] = {}): Promise<ThreadsPage> {
    const { rows, next } = await this.#rows(asked, ours)
    return { threads: rows.map(withoutRank), ...(next !== undefined && { next }) }
  }

  #checked(asked: ThreadsQuery): ThreadQuery {
    const apps = this.#parts.apps.map(({ app }) => app)
    return checkedQuery(apps, asked)
  }

  async #rows(asked: ThreadsQuery, ours: ThreadQuery['where'] = {}): Promise<Rows> {
    const { sha256 } = this.#parts
    const checked = this.#checked(asked)
    const { orderBy, limit } = checked
    const where = { ...checked.where, ...ours }
    return this.#read(async (index, generation) => {
      const terms = { generation, orderBy, sha256 }
      const after = asked.after === undefined ? undefined : placeOf(asked.after, terms)
      // A list of one more thread than the page holds has a next page.
      const query = { ...checked, where, after, limit: limit + 1 }
      const found = await index.list(generation, query)
      return found && rowsOf(found, limit, (row) => cursorOf(row, terms))
    })
  }

  /** Brings the index up to the end of the feed and reads it, again where it began anew meanwhile. */
  async #read<Result>(
    read: (index: ThreadIndex, generation: string) => Promise<Result | undefined>,
  ): Promise<Result> {
    for (;;) {
      if (!(await this.#advance())) continue
      this.#follow()
      const { index } = this.#pass
      const generation = (await index.load())?.generation
      if (generation === undefined) continue
      const result = await read(index, generation)
      if (result !== undefined) return result
    }
  }

  /** Ends the passes in the background; resolves once none is under way. Listing goes on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer?.()
    this.#stop.abort()
    this.#stop = new AbortController()
    await Promise.allSettled([this.#last])
  }

  #follow(): void {
    if (this.#isStopped || this.#cancelTimer) return
    this.#cancelTimer = startIdleInterval(() => {
      if (!this.#isPassing) this.#advance().catch((error: unknown) => this.#failed(error))
    }, PASS_INTERVAL_MS)
  }

  /** A fault that may pass is reported once, and the next pass goes on; after another, the next `list` does. */
  #failed(error: unknown): void {
    if (!this.#hasFailed) this.#parts.onFault(error)
    this.#hasFailed = true
    if (mayPass(error)) return
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /** A pass that is under way may have missed what its caller has appended: the caller gets the next. */
  #advance(): Promise<boolean> {
    if (this.#waiting) return this.#waiting
    const begin = () => this.#begin()
    this.#waiting = this.#last.then(begin, begin)
    this.#last = this.#waiting
    return this.#last
  }

  async #begin(): Promise<boolean> {
    this.#waiting = undefined
    this.#isPassing = true
    try {
      const isAtEnd = await this.#pass.run(this.#stop.signal)
      this.#hasFailed = false
      return isAtEnd
    } finally {
      this.#isPassing = false
    }
  }
}

function withoutWaits({ values, ...thread }: IndexedThread): IndexedThread {
  if (!values) return thread
  const { [WAITS]: isWaiting, ...declared } = values
  const isOurs = isWaiting !== undefined && Object.keys(declared).length === 0
  return isOurs ? thread : { ...thread, values: declared }
}

function withoutRank({ rank: _, ...thread }: RankedThread): IndexedThread {
  return thread
}

/** The rows of one page, and the cursors of the pages after it and after each row. */
interface Rows {
  readonly rows: readonly RankedThread[]
  readonly next?: string
  readonly cursorOf: (row: RankedThread) => string
}

function rowsOf(found: readonly RankedThread[], limit: number, cursorOf: Rows['cursorOf']): Rows {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  if (found.length <= limit || last === undefined) return { rows, cursorOf }
  return { rows, next: cursorOf(last), cursorOf }
}
