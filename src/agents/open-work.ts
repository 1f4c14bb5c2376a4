import { mayPass } from '../log/index.ts'
import type { Cursors, EventLog, ConsumerRow, Moved } from '../log/index.ts'
import { nextTurn, startIdleTimer } from '../platform/index.ts'

/** The pause between two looks at the threads that have grown. */
export const LOOK_INTERVAL_MS = 1_000
/** Batches of the feed between two looks; a start reads no more than these before it takes requests. */
export const LOOK_BATCHES_MAX = 4
/** Threads that are looked at together, so that what ends their runs shares commits. */
const LOOKS_AT_ONCE = 8
/** Threads whose due work begins at once after a start. */
export const THREADS_TAKEN_UP_MAX = 8

const CONSUMER = 'work'

export interface OpenWorkParts {
  readonly log: EventLog
  /** Without them nothing is kept, and each start looks at all threads. */
  readonly cursors?: Cursors | undefined
  /** Changes with what counts as open work: then all threads are looked at again. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** When work in a thread is next due, in milliseconds since the epoch; `undefined` when none is open. */
  readonly dueAt: (thread: string) => Promise<number | undefined>
  /** Ends the runs that a crash left open in a thread. */
  readonly recover: (thread: string) => Promise<void>
  /** Looks at a thread that has moved since, while this process follows the feed. */
  readonly moved?: (thread: string) => Promise<void>
  /** Goes on with the work that is open in a thread, or waits for `dueAt`. */
  readonly takeUp?: (thread: string, dueAt: number) => Promise<void>
  readonly onFault: (error: unknown, thread?: string) => void
}

/**
 * The list of threads with open work: kept while the process runs, so that the next start recovers those
 * and the threads that moved since the list was saved, however many threads are stored. At least once: a thread may
 * be recovered and begun again.
 */
export class OpenWork {
  readonly #parts: OpenWorkParts
  readonly #moved = new Set<string>()
  /** Threads whose recovery the store refused: they are recovered at the next look. */
  readonly #unrecovered = new Set<string>()
  /** Rows that are to be saved with the position. */
  readonly #unsaved = new Map<string, ConsumerRow>()
  readonly #recovering = new Map<string, Promise<void>>()
  readonly #due = new Map<string, number>()
  readonly #takenUp = new Set<Promise<void>>()
  /** Functions that end the pauses under way. */
  readonly #pauses = new Set<() => void>()
  #feed: AsyncIterableIterator<readonly Moved[]> | undefined
  /** The batch of the feed that is waited for. */
  #asked: Promise<IteratorResult<readonly Moved[]>> | undefined
  #position = ''
  #saved: string | undefined
  /** Whether every thread that the last session may have left open has been looked at. */
  #isRecovered = false
  #isFollowing = false
  #isStopping = false
  #isLogClosed = false
  #behindSince: number | undefined
  #following: Promise<void> = Promise.resolve()

  constructor(parts: OpenWorkParts) {
    this.#parts = parts
  }

  /**
   * Recovers the threads that the last session left open. Without a cursor, or far behind, it recovers a
   * part of them, and {@link follow} the rest.
   */
  async recover(): Promise<void> {
    const { cursors, now, onFault } = this.#parts
    for (const { thread, dueAt } of (await cursors?.open(CONSUMER)) ?? []) {
      if (dueAt <= now()) this.#moved.add(thread)
      else this.#due.set(thread, dueAt)
    }
    this.#saved = await cursors?.load(CONSUMER)
    this.#position = this.#positionIn(this.#saved)
    // A damaged page of the log, or a full disk, must not keep the rest of it from its people.
    await this.#lookAtMoved().catch(onFault)
    this.#openFeed()
    await this.#advance().catch(onFault)
  }

  /** Begins the due work, recovers the other threads, and keeps the list from then on. */
  follow(): void {
    this.#isFollowing = true
    this.#following = this.#follow().catch(this.#parts.onFault)
    this.#takeUpNext()
  }

  /** Resolves once the runs that a crash left open in a thread have ended. */
  async recovered(thread: string): Promise<void> {
    if (this.#isRecovered || this.#isStopping) return
    try {
      await this.#recoverOnce(thread)
    } catch (error) {
      this.#parts.onFault(error, thread)
    }
  }

  /** How long threads that have grown have waited for their look, in milliseconds. */
  get lagMs(): number {
    const { now } = this.#parts
    return this.#behindSince === undefined ? 0 : Math.max(0, now() - this.#behindSince)
  }

  /** Resolves once all work that was due at the start has begun. */
  async takenUp(): Promise<void> {
    while (this.#takenUp.size > 0) await Promise.all(this.#takenUp)
  }

  /** Begins nothing more; work that has begun goes on. */
  stop(): void {
    this.#isStopping = true
    this.#due.clear()
    for (const end of this.#pauses) end()
  }

  /** Saves the list as it is now, if the store lets it. Called once nothing runs any more. */
  async close(): Promise<void> {
    this.stop()
    await this.#feed?.return?.()
    await Promise.all([this.#following, ...this.#takenUp])
    if (!this.#isRecovered || this.#isLogClosed || !this.#parts.cursors) return
    try {
      this.#openFeed()
      await this.#advance()
      await this.#feed?.return?.()
    } catch (error) {
      // The next start looks at what has moved since the list was saved.
      this.#parts.onFault(error)
    }
  }

  async #follow(): Promise<void> {
    let hasFailed = false
    while (!this.#isStopping) {
      try {
        if (!(await this.#advance())) continue
        hasFailed = false
        const isDone = !this.#parts.cursors && !this.#parts.moved && this.#unrecovered.size === 0
        if (isDone) return
      } catch (error) {
        // The store may work again at the next look; until then one report is enough.
        if (!hasFailed) this.#parts.onFault(error)
        hasFailed = true
        this.#behindSince ??= this.#parts.now()
        await this.#feed?.return?.()
        this.#openFeed()
      }
      await this.#pause()
    }
  }

  async #pause(): Promise<void> {
    if (this.#isStopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancelTimer = startIdleTimer(resolve, LOOK_INTERVAL_MS)
    this.#pauses.add(resolve)
    await promise
    this.#pauses.delete(resolve)
    cancelTimer()
  }

  /** Looks at the threads that have moved next; true at the end of the feed. */
  async #advance(): Promise<boolean> {
    const isEnd = await this.#collect()
    await this.#lookAtMoved()
    if (isEnd && !this.#isStopping) this.#isRecovered = true
    if (isEnd && this.#unrecovered.size === 0) this.#behindSince = undefined
    return isEnd
  }

  async #lookAtMoved(): Promise<void> {
    const moved = [...this.#moved]
    this.#moved.clear()
    for (let at = 0; at < moved.length; at += LOOKS_AT_ONCE) {
      // The position is not saved, so the next start finds the other threads again.
      if (this.#isStopping && !this.#isRecovered) return
      const some = moved.slice(at, at + LOOKS_AT_ONCE)
      const rows = await Promise.all(some.map((thread) => this.#look(thread)))
      for (const row of rows) this.#unsaved.set(row.thread, row)
      await nextTurn()
    }
    await this.#save()
    for (const thread of this.#unrecovered) this.#moved.add(thread)
  }

  async #save(): Promise<void> {
    const position = `${this.#parts.version} ${this.#position}`
    if (this.#unsaved.size === 0 && position === this.#saved) return
    await this.#parts.cursors?.save(CONSUMER, position, [...this.#unsaved.values()])
    this.#unsaved.clear()
    this.#saved = position
  }

  async #collect(): Promise<boolean> {
    for (let read = 0; read < LOOK_BATCHES_MAX; read++) {
      const step = await this.#nextBatch()
      if (step === 'none yet') return true
      if (!step || step.done) {
        this.#isLogClosed = !this.#isStopping
        this.stop()
        return false
      }
      for (const { thread, position } of step.value) {
        this.#moved.add(thread)
        this.#position = position
      }
      if (step.value.length === 0) return true
      this.#behindSince ??= this.#parts.now()
    }
    return false
  }

  /** Waits for news no longer than for the next look where threads are to be recovered. */
  async #nextBatch(): Promise<IteratorResult<readonly Moved[]> | 'none yet' | undefined> {
    this.#asked ??= this.#feed?.next()
    const looksAgain = this.#unrecovered.size > 0
    const step = looksAgain
      ? await Promise.race([this.#asked, this.#pause().then(() => 'none yet' as const)])
      : await this.#asked
    if (step !== 'none yet') this.#asked = undefined
    return step
  }

  async #look(thread: string): Promise<ConsumerRow> {
    const isRecovered = this.#isRecovered && !this.#unrecovered.has(thread)
    try {
      // Also where the look before failed: a turn that is at work here may have been cancelled.
      if (this.#isRecovered) await this.#parts.moved?.(thread)
      const dueAt = isRecovered
        ? await this.#parts.dueAt(thread)
        : await this.#dueAfterRecovery(thread)
      this.#unrecovered.delete(thread)
      return { thread, dueAt }
    } catch (error) {
      // Reported once: it is looked at again until the store works.
      if (!this.#unrecovered.has(thread)) this.#parts.onFault(error, thread)
      if (mayPass(error)) this.#unrecovered.add(thread)
      // Unknown, so the next start looks again.
      return { thread, dueAt: 0 }
    }
  }

  async #dueAfterRecovery(thread: string): Promise<number | undefined> {
    const { dueAt } = this.#parts
    if ((await dueAt(thread)) === undefined) return undefined
    await this.#recoverOnce(thread)
    const due = await dueAt(thread)
    if (due === undefined) return undefined
    this.#due.set(thread, due)
    if (this.#isFollowing) this.#takeUpNext()
    return due
  }

  #recoverOnce(thread: string): Promise<void> {
    const under = this.#recovering.get(thread)
    if (under) return under
    const forget = (): void => {
      this.#recovering.delete(thread)
    }
    const recovering = this.#parts.recover(thread)
    this.#recovering.set(thread, recovering)
    recovering.then(forget, forget)
    return recovering
  }

  #takeUpNext(): void {
    for (const [thread, dueAt] of this.#due) {
      if (this.#takenUp.size >= THREADS_TAKEN_UP_MAX) return
      this.#due.delete(thread)
      const work = this.#takeUp(thread, dueAt).finally(() => {
        this.#takenUp.delete(work)
        this.#takeUpNext()
      })
      this.#takenUp.add(work)
    }
  }

  async #takeUp(thread: string, dueAt: number): Promise<void> {
    try {
      await this.#parts.takeUp?.(thread, dueAt)
    } catch (error) {
      this.#parts.onFault(error, thread)
    }
  }

  #openFeed(): void {
    this.#asked = undefined
    this.#feed = this.#parts.log.feed({ after: this.#position })
  }

  /** A list that was kept under another version has no position: the feed then begins anew. */
  #positionIn(saved = ''): string {
    const prefix = `${this.#parts.version} `
    return saved.startsWith(prefix) ? saved.slice(prefix.length) : ''
  }
}
