import { LiveTail, LogError, StoredLog, draftAll, isUuid } from '../../log/index.ts'
import type {
  AppendOptions,
  Backend,
  Batch,
  EventLog,
  LogRecord,
  NewEvent,
  Sources,
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

export interface PostgresBackendParts {
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

/**
 * Starts the log in a Postgres database that any number of processes share.
 *
 * @throws {@link LogError} or an error of the database
 */
export async function startPostgres(parts: PostgresBackendParts): Promise<EventLog> {
  const backend = new PostgresBackend(parts)
  await backend.start()
  return new StoredLog(backend)
}

class PostgresBackend implements Backend {
  readonly epoch: string
  readonly leases: PostgresLeases
  readonly notes: PostgresNotes
  readonly #parts: PostgresBackendParts
  readonly #reader: PostgresReader
  readonly tail = new LiveTail()
  readonly feed: PostgresFeed
  readonly #writer: GroupWriter
  readonly #commits: PostgresCommits
  readonly #queue: AppendQueue
  readonly #wakeUps: WakeUps

  constructor(parts: PostgresBackendParts) {
    const { pool, connector, signer, headsOutside, sources } = parts
    this.#parts = parts
    this.epoch = parts.epoch
    this.notes = new PostgresNotes(pool)
    this.#reader = new PostgresReader(pool)
    this.feed = new PostgresFeed(pool, parts.onWarning)
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
        this.tail.publish(thread, fresh)
        this.feed.wake()
      },
      failed: parts.onFatal,
    })
    this.#wakeUps = new WakeUps({
      connector,
      kind: parts.wakeUps,
      self: parts.self,
      moved: (thread, head) => {
        this.tail.moved(thread, head)
        this.feed.wake()
      },
      released: (name) => this.leases.heardRelease(name),
      look: () => this.#look(),
    })
  }

  /** @throws {@link LogError} or an error of the database */
  start(): Promise<void> {
    return this.#wakeUps.start()
  }

  append(thread: string, events: readonly NewEvent[], options: AppendOptions): Promise<Batch> {
    return this.#queue.push(thread, events, options)
  }

  page(thread: string, after: number, limit: number): Promise<Batch> {
    return reportingAs(`read "${thread}"`, () => this.#reader.page(thread, after, limit))
  }

  jsonPage(thread: string, after: number, limit: number): Promise<readonly string[]> {
    return reportingAs(`read "${thread}"`, () => this.#reader.jsonPage(thread, after, limit))
  }

  async find(thread: string, id: string): Promise<LogRecord | undefined> {
    if (!isUuid(id)) return undefined
    return reportingAs(`read "${thread}"`, () => this.#reader.find(thread, id))
  }

  async head(thread: string): Promise<number> {
    const head = await reportingAs(`read "${thread}"`, () => this.#reader.head(thread))
    if (head) this.#writer.learn(thread, head)
    return head?.seq ?? -1
  }

  threads(): Promise<readonly string[]> {
    return reportingAs('list the threads', () => this.#reader.threads())
  }

  verify(thread: string): Promise<Verification> {
    const { signer, headsOutside } = this.#parts
    const parts = { reader: this.#reader, signer, outside: headsOutside?.find(thread) }
    return reportingAs(`read "${thread}"`, () => verifyRows(parts, thread))
  }

  lost(stored: ReadonlySet<string>): readonly string[] {
    return this.#parts.headsOutside?.threadsNotIn(stored) ?? []
  }

  async close(): Promise<void> {
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
    this.feed.wake()
    await this.leases.look()
    const watched = this.tail.watched()
    for (let at = 0; at < watched.length; at += HEADS_AT_ONCE) {
      const heads = await this.#reader.headsOf(watched.slice(at, at + HEADS_AT_ONCE))
      for (const { thread, seq } of heads) this.tail.moved(thread, seq)
    }
  }
}
