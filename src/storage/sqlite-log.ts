import { setImmediate } from 'node:timers/promises'
import {
  LiveFeed,
  LiveTail,
  LogError,
  NOTHING_UNANCHORED,
  ProcessLeases,
  draftAll,
  isThreadName,
  readBatches,
} from '../log/index.ts'
import type {
  Anchor,
  AppendOptions,
  Batch,
  EventLog,
  LogRecord,
  Moved,
  NewEvent,
  Notes,
  ReadOptions,
  Sources,
  ThreadVerification,
  Verification,
} from '../log/index.ts'
import { AppendQueue } from './commit/append-queue.ts'
import { CommitLink } from './commit/commit-link.ts'
import { HeadCache } from './heads/head-cache.ts'
import type { HeadsFile } from './heads/heads-file.ts'
import { HeadWatch } from './heads/head-watch.ts'
import { replaceNote } from './commit/claim-store.ts'
import type { ClaimedStore } from './commit/claim-store.ts'
import { reporting } from './sqlite/sqlite-error.ts'
import type { SqliteReader } from './sqlite/sqlite-reader.ts'
import { endOf, verifyThread } from './heads/verify-thread.ts'

export interface SqliteLogOptions {
  readonly sources: Sources
  /** Commits that mostly take longer are left to a thread of their own. */
  readonly slowCommitMs: number
  readonly onFatal: (error: LogError) => void
  readonly onWarning: (warning: string) => void
}

interface SqliteLogParts extends SqliteLogOptions {
  readonly store: ClaimedStore
  readonly reader: SqliteReader
  /** Resources that the log closes at its end, in the order in which they were opened. */
  readonly held: readonly { close(): void }[]
  readonly headsFile: HeadsFile
  /** Makes a log writable that was opened on a full disk. Throws while the disk is full. */
  readonly takeSpace: () => void
}

/** A log in an SQLite database of which this process is the only writer. */
export class SqliteLog implements EventLog {
  readonly epoch: string
  readonly notes: Notes = {
    read: async (name) => this.#onNotes(() => this.#parts.reader.note(name)),
    replace: async (name, change) =>
      this.#onNotes(() => {
        if (this.#parts.store.full) this.#parts.takeSpace()
        return replaceNote(this.#parts.store.path, name, change)
      }),
  }
  readonly leases = new ProcessLeases((thread) => this.#queue.committingUnder(thread))
  readonly #parts: SqliteLogParts
  readonly #tail = new LiveTail((thread) => (after, limit) => this.#page(thread, after, limit))
  readonly #feed: LiveFeed
  readonly #queue: AppendQueue
  readonly #link: CommitLink
  /** The heads that this process has committed. */
  readonly #heads = new HeadCache<Anchor>()
  readonly #watch: HeadWatch
  #closing: Promise<void> | undefined

  constructor(parts: SqliteLogParts) {
    this.#parts = parts
    this.epoch = parts.store.epoch
    this.#link = new CommitLink(parts.store, parts)
    this.#watch = new HeadWatch(parts)
    const { reader } = parts
    const reading = <Result>(work: () => Result): Result => reporting('read the feed', work)
    this.#feed = new LiveFeed({
      page: (after) => reading(() => reader.feedPage(after)),
      hashAt: (number) => reading(() => reader.hashOfRow(number)),
      last: () => reading(() => reader.lastRow()),
    })
    this.#queue = new AppendQueue({
      draft: (thread, events) => draftAll(thread, events, parts.sources),
      refusal: (thread, fence) => this.leases.refusal(thread, fence),
      commit: (group) => this.#link.commit(group),
      committed: (thread, fresh) => {
        const last = fresh.at(-1)?.record
        if (last) this.#heads.set(thread, { seq: last.seq, hash: last.hash })
        this.#tail.publish(thread, fresh)
        this.#feed.wake()
      },
      failed: parts.onFatal,
    })
  }

  async append(
    thread: string,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<Batch> {
    const action = `append to "${thread}"`
    this.#assertOpen(action)
    if (this.#parts.store.full) reporting(action, this.#parts.takeSpace)
    this.#watch.meet(thread)
    return this.#queue.push(thread, events, options)
  }

  read(thread: string, options: ReadOptions = {}): AsyncIterable<Batch> {
    return readBatches(
      (after, limit) => this.#page(thread, after, limit),
      () => this.head(thread),
      options,
    )
  }

  readJson(thread: string, options: ReadOptions = {}): AsyncIterable<readonly string[]> {
    return readBatches(
      (after, limit) => this.#read(thread, (reader) => reader.jsonPage(thread, after, limit), []),
      () => this.head(thread),
      options,
    )
  }

  subscribe(
    thread: string,
    options: { readonly after?: number } = {},
  ): AsyncIterableIterator<Batch> {
    return this.#tail.subscribe(thread, options.after)
  }

  feed({ after }: { readonly after?: string } = {}): AsyncIterableIterator<readonly Moved[]> {
    this.#assertOpen('follow the log')
    return this.#feed.follow(after)
  }

  async find(thread: string, id: string): Promise<LogRecord | undefined> {
    return this.#read(thread, (reader) => reader.find(thread, id.toLowerCase()), undefined)
  }

  async threads(): Promise<readonly string[]> {
    this.#assertOpen('list the threads')
    return reporting('list the threads', () => this.#parts.reader.threads())
  }

  async head(thread: string): Promise<number> {
    const known = this.#knownHead(thread)
    return this.#read(thread, (reader) => known?.seq ?? reader.head(thread), -1)
  }

  async verify(thread: string): Promise<Verification> {
    this.#assertOpen(`verify "${thread}"`)
    if (!isThreadName(thread)) return { ok: true, head: -1, ...NOTHING_UNANCHORED }
    const { reader, headsFile } = this.#parts
    const stored = endOf(reader, thread)
    // The heads of all stored records are written down by then.
    await this.#queue.settled()
    const witness = reporting('read the heads', () => headsFile.find(thread))
    // The heads of this process's own commits are more reliable than the file.
    const known = this.#knownHead(thread)
    const end = Math.max(stored, witness?.seq ?? -1, known?.seq ?? -1)
    const pause = () => this.#pause(`verify "${thread}"`)
    return verifyThread(reader, { thread, end, witness, known }, pause)
  }

  async *verifyAll({ from = 0 }: { readonly from?: number } = {}): AsyncGenerator<
    ThreadVerification,
    undefined
  > {
    const stored = await this.threads()
    for (const thread of stored.slice(from)) {
      await this.#pause('verify the log')
      yield { thread, ...(await this.verify(thread)) }
    }
    const lost = this.#parts.headsFile.threadsNotIn(new Set(stored))
    for (const thread of lost.slice(Math.max(0, from - stored.length))) {
      yield { thread, ...(await this.verify(thread)) }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#tail.close()
    this.#feed.close()
    await this.#queue.drain()
    // Appends that were under way were still made under their leases.
    this.leases.close()
    const { reader, headsFile, held } = this.#parts
    // The last close checkpoints the write-ahead log; after a failure it must not.
    if (!this.#queue.failed) reader.close()
    try {
      await this.#link.close()
      headsFile.close()
    } finally {
      for (const part of held.toReversed()) part.close()
      if (this.#queue.failed) reader.close()
    }
  }

  /** The head that this process has committed, unless another process may have gone on from there. */
  #knownHead(thread: string): Anchor | undefined {
    return this.#queue.failed ? undefined : this.#heads.get(thread)
  }

  async #pause(action: string): Promise<void> {
    await setImmediate()
    this.#assertOpen(action)
  }

  #page(thread: string, after: number, limit: number): Batch {
    return this.#read(thread, (reader) => reader.page(thread, after, limit), [])
  }

  #read<Result>(thread: string, work: (reader: SqliteReader) => Result, ofNone: Result): Result {
    const action = `read "${thread}"`
    this.#assertOpen(action)
    // A name that no append takes could still be bound as the name of another thread.
    if (!isThreadName(thread)) return ofNone
    this.#watch.meet(thread)
    return reporting(action, () => work(this.#parts.reader))
  }

  #onNotes<Result>(work: () => Result): Result {
    const action = 'use the notes of the store'
    this.#assertOpen(action)
    return reporting(action, work)
  }

  #assertOpen(action: string): void {
    if (this.#closing) throw new LogError('closed', `Cannot ${action}: the log is closed`)
  }
}
