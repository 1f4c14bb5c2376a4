import { setImmediate } from 'node:timers/promises'
import { LiveTail, LogError, draftAll, isThreadName, place, readBatches } from '../log/index.ts'
import type {
  Anchor,
  AppendOptions,
  Batch,
  EventLog,
  LogRecord,
  NewEvent,
  ReadOptions,
  Sealed,
  Sources,
  Verification,
} from '../log/index.ts'
import { AppendQueue } from './append-queue.ts'
import type { Append, Outcome } from './append-queue.ts'
import type { HeadsFile } from './heads-file.ts'
import { sha256 } from './sha256.ts'
import { reporting, storageError } from './sqlite-error.ts'
import type { SqliteReader } from './sqlite-reader.ts'
import type { SqliteWriter } from './sqlite-writer.ts'
import { verifyThread } from './verify-thread.ts'
import type { WriteLock } from './write-lock.ts'

export interface SqliteLogParts {
  readonly writer: SqliteWriter
  readonly reader: SqliteReader
  readonly headsFile: HeadsFile
  readonly lock: WriteLock
  /** Threads that do not reach their anchor, or not with its hash: nothing may be built on them. */
  readonly suspects: ReadonlyMap<string, Anchor>
  readonly sources: Sources
  readonly onFatal: (error: LogError) => void
}

/** A log in an SQLite database of which this process is the only writer. */
export class SqliteLog implements EventLog {
  readonly epoch: string
  readonly #parts: SqliteLogParts
  readonly #tail = new LiveTail((thread) => (after, limit) => this.#page(thread, after, limit))
  readonly #queue: AppendQueue
  #closed = false

  constructor(parts: SqliteLogParts) {
    this.#parts = parts
    this.epoch = parts.writer.epoch
    this.#queue = new AppendQueue({
      commit: (group) => this.#commit(group),
      committed: (group, outcomes) => this.#committed(group, outcomes),
      failed: parts.onFatal,
    })
  }

  async append(
    thread: string,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<Batch> {
    this.#assertOpen(`append to "${thread}"`)
    const drafts = draftAll(thread, events, this.#parts.sources)
    return drafts.length > 0 ? this.#queue.push({ thread, drafts, ...options }) : []
  }

  read(thread: string, options: ReadOptions = {}): AsyncIterable<Batch> {
    return readBatches(
      (after, limit) => this.#page(thread, after, limit),
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
    if (!isThreadName(thread)) return { ok: true, head: -1 }
    // What this process has committed itself it knows better than any file.
    const anchor = this.#knownHead(thread) ?? this.#anchorOf(thread)
    return verifyThread(this.#parts.reader, { thread, sha256, anchor }, async () => {
      await setImmediate()
      this.#assertOpen(`verify "${thread}"`)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#tail.close()
    const { writer, reader, headsFile, lock } = this.#parts
    try {
      this.#queue.drain()
      reporting('close the log', () => headsFile.close())
    } finally {
      // Whoever closes last carries the write-ahead log over; after a failure nobody should.
      for (const part of this.#queue.failed ? [writer, reader] : [reader, writer]) part.close()
      lock.close()
    }
  }

  /** The head that this process has committed, unless somebody else may have gone on from there. */
  #knownHead(thread: string): Anchor | undefined {
    return this.#queue.failed ? undefined : this.#parts.writer.knownHead(thread)
  }

  #anchorOf(thread: string): Anchor | undefined {
    return reporting('read the heads', () => this.#parts.headsFile.find(thread))
  }

  #page(thread: string, after: number, limit: number): Batch {
    return this.#read(thread, (reader) => reader.page(thread, after, limit), [])
  }

  #read<Result>(thread: string, work: (reader: SqliteReader) => Result, ofNone: Result): Result {
    const action = `read "${thread}"`
    this.#assertOpen(action)
    // A name that no append takes could still be bound as the name of another thread.
    return isThreadName(thread) ? reporting(action, () => work(this.#parts.reader)) : ofNone
  }

  #commit(group: readonly Append[]): readonly Outcome[] {
    const { writer } = this.#parts
    try {
      return writer.transaction(() => group.map((append) => this.#place(append)))
    } catch (error) {
      const failure = storageError('append', error)
      // A disk that failed is left alone: nothing more is tried on it through this connection.
      if (failure.code !== 'io') reporting('roll back', () => writer.rollBack())
      throw failure
    }
  }

  #place({ thread, drafts, ...options }: Append): Outcome {
    const suspect = this.#parts.suspects.get(thread)
    if (suspect) return { status: 'refused', error: notAsAnchored(thread, suspect) }
    const target = this.#parts.writer.target(thread)
    try {
      return { status: 'appended', appended: place(drafts, target, { ...options, sha256 }) }
    } catch (error) {
      // It was found before anything of this append was inserted, so the others need not fail.
      const conflicts = error instanceof LogError && error.code === 'version_conflict'
      if (conflicts) return { status: 'refused', error }
      throw error
    }
  }

  #committed(group: readonly Append[], outcomes: readonly Outcome[]): void {
    const committed = group.flatMap(({ thread }, index) => {
      const outcome = outcomes[index]
      return outcome?.status === 'appended' ? [{ thread, fresh: outcome.appended.fresh }] : []
    })
    this.#anchor(committed)
    for (const { thread, fresh } of committed) this.#tail.publish(thread, fresh)
  }

  /** Before anybody hears of a record, its thread's head stands outside the database. */
  #anchor(committed: readonly Committed[]): void {
    const heads = committed.flatMap(({ thread, fresh }) => {
      const last = fresh.at(-1)
      return last ? [[thread, last.record] as const] : []
    })
    try {
      this.#parts.headsFile.add(heads)
    } catch (error) {
      const failure = storageError('write down the heads', error)
      // On a full disk they wait for space, as the appends do.
      if (failure.code !== 'storage_full') this.#queue.fail(failure)
    }
  }

  #assertOpen(action: string): void {
    if (this.#closed) throw new LogError('closed', `Cannot ${action}: the log is closed`)
  }
}

interface Committed {
  readonly thread: string
  readonly fresh: readonly Sealed[]
}

function notAsAnchored(thread: string, { seq }: Anchor): LogError {
  return new LogError(
    'corrupt',
    `Cannot append to "${thread}": it does not hold the record ${seq} that it is known to have had`,
  )
}
