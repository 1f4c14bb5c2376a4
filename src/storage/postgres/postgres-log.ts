import {
  LiveTail,
  LogError,
  NOTHING_UNANCHORED,
  draftAll,
  isThreadName,
  isUuid,
  readBatches,
} from '../../log/index.ts'
import type {
  AppendOptions,
  Batch,
  EventLog,
  LogRecord,
  Moved,
  NewEvent,
  ReadOptions,
  Sources,
  ThreadVerification,
  Verification,
} from '../../log/index.ts'
import { AppendQueue } from '../commit/append-queue.ts'
import type { QueuedAppend } from '../commit/append-queue.ts'
import type { Committed } from '../commit/committer.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Connector } from './connection.ts'
import { GroupWriter } from './group-writer.ts'
import type { HeadsOutside } from './heads-outside.ts'
import { PostgresCommits } from './postgres-commits.ts'
import { reportingAs } from './postgres-error.ts'
import { PostgresFeed } from './postgres-feed.ts'
import { PostgresLeases } from './postgres-leases.ts'
import { PostgresNotes } from './postgres-notes.ts'
import { PostgresReader } from './postgres-reader.ts'
import type { WakeUps as WakeUpKind } from './postgres-url.ts'
import type { HeadSigner } from './signed-head.ts'
import { verifyRows } from './verify-rows.ts'
import { WakeUps } from './wake-ups.ts'

/** Threads whose heads are compared by one statement. */
const HEADS_AT_ONCE = 1_000

export interface PostgresLogParts {
  readonly epoch: string
  readonly connector: Connector
  readonly pool: ConnectionPool
  readonly wakeUps: WakeUpKind
  readonly signer: HeadSigner
  /** Also kept outside the database where the options name a file for them. */
  readonly headsOutside: HeadsOutside | undefined
  readonly sources: Sources
  /** Names this process among all that use the database. */
  readonly self: string
  readonly onFatal: (error: LogError) => void
  readonly onWarning: (warning: string) => void
}

/** A log in a Postgres database that any number of processes share. */
export class PostgresLog implements EventLog {
  readonly epoch: string
  readonly leases: PostgresLeases
  readonly notes: PostgresNotes
  readonly #parts: PostgresLogParts
  readonly #reader: PostgresReader
  readonly #tail = new LiveTail((thread) => (after, limit) => this.#page(thread, after, limit))
  readonly #feed: PostgresFeed
  readonly #writer: GroupWriter
  readonly #commits: PostgresCommits
  readonly #queue: AppendQueue
  readonly #wakeUps: WakeUps
  #closing: Promise<void> | undefined

  /** @throws {@link LogError} or an error of the database */
  static async start(parts: PostgresLogParts): Promise<PostgresLog> {
    const log = new PostgresLog(parts)
    await log.#wakeUps.start()
    return log
  }

  private constructor(parts: PostgresLogParts) {
    const { pool, connector, signer, headsOutside, sources } = parts
    this.#parts = parts
    this.epoch = parts.epoch
    this.notes = new PostgresNotes(pool)
    this.#reader = new PostgresReader(pool)
    this.#feed = new PostgresFeed(pool, parts.onWarning)
    this.#writer = new GroupWriter({ signer, headsOutside, now: sources.now })
    this.leases = new PostgresLeases({
      pool,
      holder: parts.self,
      committing: (thread) => this.#queue.committingUnder(thread),
      released: (name) => this.#wakeUps.tellReleased(name),
    })
    this.#commits = new PostgresCommits({
      connector,
      writer: this.#writer,
      headsOutside,
      committed: (moved) => this.#wakeUps.tellMoved(moved),
    })
    this.#queue = new AppendQueue({
      draft: (thread, events) => draftAll(thread, events, sources),
      refusal: (thread, fence) => this.leases.refusal(thread, fence),
      commit: (group) => this.#commit(group),
      committed: (thread, fresh) => {
        this.#tail.publish(thread, fresh)
        this.#feed.wake()
      },
      failed: parts.onFatal,
    })
    this.#wakeUps = new WakeUps({
      connector,
      kind: parts.wakeUps,
      self: parts.self,
      moved: (thread, head) => {
        this.#tail.moved(thread, head)
        this.#feed.wake()
      },
      released: (name) => this.leases.heardRelease(name),
      look: () => this.#look(),
    })
  }

  async append(
    thread: string,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<Batch> {
    this.#assertOpen(`append to "${thread}"`)
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
      (after, limit) => this.#read(thread, () => this.#reader.jsonPage(thread, after, limit), []),
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
    const find = () => this.#reader.find(thread, id.toLowerCase())
    return this.#read(thread, async () => (isUuid(id) ? find() : undefined), undefined)
  }

  async threads(): Promise<readonly string[]> {
    this.#assertOpen('list the threads')
    return reportingAs('list the threads', () => this.#reader.threads())
  }

  async head(thread: string): Promise<number> {
    const head = await this.#read(thread, () => this.#reader.head(thread), undefined)
    if (head) this.#writer.learn(thread, head)
    return head?.seq ?? -1
  }

  async verify(thread: string): Promise<Verification> {
    const none = { ok: true, head: -1, ...NOTHING_UNANCHORED } as const
    const { signer, headsOutside } = this.#parts
    const parts = { reader: this.#reader, signer, outside: headsOutside?.find(thread) }
    return this.#read(thread, () => verifyRows(parts, thread), none)
  }

  async *verifyAll({ from = 0 }: { readonly from?: number } = {}): AsyncGenerator<
    ThreadVerification,
    undefined
  > {
    const stored = await this.threads()
    const lost = this.#parts.headsOutside?.threadsNotIn(new Set(stored)) ?? []
    for (const thread of [...stored, ...lost].slice(from)) {
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
    await this.leases.close()
    await this.#wakeUps.close()
    await Promise.all([this.#commits.close(), this.#parts.pool.close()])
    this.#parts.headsOutside?.close()
  }

  async #commit(group: readonly QueuedAppend[]): Promise<Committed> {
    const committed = await this.#commits.commit(group)
    if (committed.status === 'refused') return committed
    for (const [index, outcome] of committed.outcomes.entries()) {
      const append = group[index]
      if (!append || !(outcome instanceof LogError) || outcome.code !== 'fenced') continue
      this.leases.lost(append.thread, append.fence)
    }
    return committed
  }

  /** Reads the heads and leases for which a notice may be missing. */
  async #look(): Promise<void> {
    this.#feed.wake()
    await this.leases.look()
    const watched = this.#tail.watched()
    for (let at = 0; at < watched.length; at += HEADS_AT_ONCE) {
      const heads = await this.#reader.headsOf(watched.slice(at, at + HEADS_AT_ONCE))
      for (const { thread, seq } of heads) this.#tail.moved(thread, seq)
    }
  }

  #page(thread: string, after: number, limit: number): Promise<Batch> {
    return this.#read(thread, () => this.#reader.page(thread, after, limit), [])
  }

  async #read<Result>(
    thread: string,
    work: () => Promise<Result>,
    ofNone: Result,
  ): Promise<Result> {
    const action = `read "${thread}"`
    this.#assertOpen(action)
    // A name that no append takes is no thread's.
    if (!isThreadName(thread)) return ofNone
    return reportingAs(action, work)
  }

  #assertOpen(action: string): void {
    if (this.#closing) throw new LogError('closed', `Cannot ${action}: the log is closed`)
  }
}
