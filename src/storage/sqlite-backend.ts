import { setImmediate } from 'node:timers/promises'
import { LiveFeed, LiveTail, ProcessLeases, draftAll } from '../log/index.ts'
import type {
  Anchor,
  AppendOptions,
  Backend,
  Batch,
  LogError,
  LogRecord,
  NewEvent,
  Notes,
  Sources,
  Verification,
} from '../log/index.ts'
import { AppendQueue } from './commit/append-queue.ts'
import { CommitLink } from './commit/commit-link.ts'
import { HeadCache } from './heads/head-cache.ts'
import type { HeadsFile } from './heads/heads-file.ts'
import { HeadWatch } from './heads/head-watch.ts'
import { replaceNote } from './commit/claim-store.ts'
import type { ClaimedStore } from './commit/claim-store.ts'
import { reporting } from './files/storage-error.ts'
import type { SqliteReader } from './sqlite/sqlite-reader.ts'
import { endOf, verifyThread } from './heads/verify-thread.ts'

export interface SqliteBackendOptions {
  readonly sources: Sources
  /** Commits that mostly take longer are left to a thread of their own. */
  readonly slowCommitMs: number
  readonly onFatal: (error: LogError) => void
  readonly onWarning: (warning: string) => void
}

interface SqliteBackendParts extends SqliteBackendOptions {
  readonly store: ClaimedStore
  readonly reader: SqliteReader
  /** Resources that the log closes at its end, in the order in which they were opened. */
  readonly held: readonly { close(): void }[]
  readonly headsFile: HeadsFile
  /** Makes a log writable that was opened on a full disk. Throws while the disk is full. */
  readonly takeSpace: () => void
}

/** An SQLite database of which this process is the only writer. */
export class SqliteBackend implements Backend {
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
  readonly #parts: SqliteBackendParts
  readonly tail = new LiveTail()
  readonly feed: LiveFeed
  readonly #queue: AppendQueue
  readonly #link: CommitLink
  /** The heads that this process has committed. */
  readonly #heads = new HeadCache<Anchor>()
  readonly #watch: HeadWatch

  constructor(parts: SqliteBackendParts) {
    this.#parts = parts
    this.epoch = parts.store.epoch
    this.#link = new CommitLink(parts.store, parts)
    this.#watch = new HeadWatch(parts)
    const { reader } = parts
    const reading = <Result>(work: () => Result): Result => reporting('read the feed', work)
    this.feed = new LiveFeed({
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
        this.tail.publish(thread, fresh)
        this.feed.wake()
      },
      failed: parts.onFatal,
    })
  }

  append(thread: string, events: readonly NewEvent[], options: AppendOptions): Promise<Batch> {
    if (this.#parts.store.full) reporting(`append to "${thread}"`, this.#parts.takeSpace)
    this.#watch.meet(thread)
    return this.#queue.push(thread, events, options)
  }

  page(thread: string, after: number, limit: number): Batch {
    return this.#read(thread, (reader) => reader.page(thread, after, limit))
  }

  jsonPage(thread: string, after: number, limit: number): readonly string[] {
    return this.#read(thread, (reader) => reader.jsonPage(thread, after, limit))
  }

  find(thread: string, id: string): LogRecord | undefined {
    return this.#read(thread, (reader) => reader.find(thread, id))
  }

  head(thread: string): number {
    return this.#read(thread, (reader) => this.#knownHead(thread)?.seq ?? reader.head(thread))
  }

  threads(): readonly string[] {
    return reporting('list the threads', () => this.#parts.reader.threads())
  }

  async verify(thread: string): Promise<Verification> {
    const pause = () => this.#pause(`verify "${thread}"`)
    // Threads that are verified one after the other leave turns to others too.
    await pause()
    const { reader, headsFile } = this.#parts
    const stored = endOf(reader, thread)
    // The heads of all stored records are written down by then.
    await this.#queue.settled()
    const witness = reporting('read the heads', () => headsFile.find(thread))
    // The heads of this process's own commits are more reliable than the file.
    const known = this.#knownHead(thread)
    const end = Math.max(stored, witness?.seq ?? -1, known?.seq ?? -1)
    return verifyThread(reader, { thread, end, witness, known }, pause)
  }

  lost(stored: ReadonlySet<string>): readonly string[] {
    return this.#parts.headsFile.threadsNotIn(stored)
  }

  async close(): Promise<void> {
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
    this.tail.assertOpen(action)
  }

  #read<Result>(thread: string, work: (reader: SqliteReader) => Result): Result {
    this.#watch.meet(thread)
    return reporting(`read "${thread}"`, () => work(this.#parts.reader))
  }

  #onNotes<Result>(work: () => Result): Result {
    const action = 'use the notes of the store'
    this.tail.assertOpen(action)
    return reporting(action, work)
  }
}
