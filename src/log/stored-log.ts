import { readBatches } from './batch.ts'
import type { Batch } from './batch.ts'
import { isThreadName } from './draft.ts'
import { NOTHING_UNANCHORED } from './event-log.ts'
import type {
  AppendOptions,
  EventLog,
  ReadOptions,
  ThreadVerification,
  Verification,
} from './event-log.ts'
import type { Moved } from './feed.ts'
import type { Leases } from './leases.ts'
import type { Notes } from './notes.ts'
import type { LogRecord, NewEvent } from './record.ts'
import type { LiveTail } from './tail.ts'

type Now<Value> = Value | Promise<Value>

/** The feed of a log, for all its readers. `LiveFeed` is one, over rows that one process numbers. */
export interface Feed {
  /** @throws {@link LogError} `busy` */
  follow(after: string | undefined): AsyncIterableIterator<readonly Moved[]>
  close(): void
}

/**
 * What a log is stored in. The log asks it only for names that a thread can have, and until it is closed. A
 * `StoredLog` over every backend passes {@link eventLogContract}.
 */
export interface Backend {
  readonly epoch: string
  readonly leases: Leases
  readonly notes: Notes
  /** Where the backend publishes what was appended, once that can be read. */
  readonly tail: LiveTail
  /** It is woken once what was appended can be read. */
  readonly feed: Feed
  /** Appends as {@link EventLog.append} says. The thread's name is not checked yet. */
  append(thread: string, events: readonly NewEvent[], options: AppendOptions): Now<Batch>
  /** The records after a position, at most `limit`, and no more than one batch; empty at the head. */
  page(thread: string, after: number, limit: number): Now<Batch>
  /** The JSON texts of the same. */
  jsonPage(thread: string, after: number, limit: number): Now<readonly string[]>
  /** The id has small letters. */
  find(thread: string, id: string): Now<LogRecord | undefined>
  /** −1 when the thread is empty. */
  head(thread: string): Now<number>
  /** In order of their first record. */
  threads(): Now<readonly string[]>
  verify(thread: string): Now<Verification>
  /** Threads that are not among these, and that are known from outside the store. */
  lost(stored: ReadonlySet<string>): readonly string[]
  /** Ends what is under way, and resolves once everything is released. */
  close(): Now<void>
}

/** A log over what it is stored in: it says who reads, who follows, and until when. */
export class StoredLog implements EventLog {
  readonly epoch: string
  readonly leases: Leases
  readonly notes: Notes
  readonly #backend: Backend
  /** The name that was checked last: a thread is mostly asked for several times. */
  #lastName = ''
  #closing: Promise<void> | undefined

  constructor(backend: Backend) {
    this.#backend = backend
    this.epoch = backend.epoch
    this.leases = backend.leases
    this.notes = backend.notes
  }

  async append(
    thread: string,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<Batch> {
    this.#assertOpen(`append to "${thread}"`)
    return this.#backend.append(thread, events, options)
  }

  read(thread: string, options: ReadOptions = {}): AsyncIterable<Batch> {
    const load = (after: number, limit: number) => this.#page(thread, after, limit)
    return readBatches(load, () => this.head(thread), options)
  }

  readJson(thread: string, options: ReadOptions = {}): AsyncIterable<readonly string[]> {
    const load = (after: number, limit: number) =>
      this.#ofThread(thread, () => this.#backend.jsonPage(thread, after, limit), [])
    return readBatches(load, () => this.head(thread), options)
  }

  subscribe(
    thread: string,
    { after }: { readonly after?: number } = {},
  ): AsyncIterableIterator<Batch> {
    const load = (from: number, limit: number) => this.#page(thread, from, limit)
    return this.#backend.tail.subscribe(thread, load, after)
  }

  feed({ after }: { readonly after?: string } = {}): AsyncIterableIterator<readonly Moved[]> {
    this.#assertOpen('follow the log')
    return this.#backend.feed.follow(after)
  }

  async find(thread: string, id: string): Promise<LogRecord | undefined> {
    return this.#ofThread(thread, () => this.#backend.find(thread, id.toLowerCase()), undefined)
  }

  async threads(): Promise<readonly string[]> {
    this.#assertOpen('list the threads')
    return this.#backend.threads()
  }

  async head(thread: string): Promise<number> {
    return this.#ofThread(thread, () => this.#backend.head(thread), -1)
  }

  async verify(thread: string): Promise<Verification> {
    const none = { ok: true, head: -1, ...NOTHING_UNANCHORED } as const
    return this.#ofThread(thread, () => this.#backend.verify(thread), none)
  }

  async *verifyAll({ from = 0 }: { readonly from?: number } = {}): AsyncGenerator<
    ThreadVerification,
    undefined
  > {
    const stored = await this.threads()
    for (const thread of [...stored, ...this.#backend.lost(new Set(stored))].slice(from)) {
      yield { thread, ...(await this.verify(thread)) }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#backend.tail.close()
    this.#backend.feed.close()
    await this.#backend.close()
  }

  #page(thread: string, after: number, limit: number): Now<Batch> {
    return this.#ofThread(thread, () => this.#backend.page(thread, after, limit), [])
  }

  #ofThread<Result>(
    thread: string,
    work: () => Result,
    ofNone: Awaited<Result>,
  ): Result | Awaited<Result> {
    this.#assertOpen(`read "${thread}"`)
    // A name that no append takes could still be bound as the name of another thread.
    if (thread !== this.#lastName && !isThreadName(thread)) return ofNone
    this.#lastName = thread
    return work()
  }

  #assertOpen(action: string): void {
    this.#backend.tail.assertOpen(action)
  }
}
