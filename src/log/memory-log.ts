import { assert } from '../assert/index.ts'
import { draftAll, place } from './append.ts'
import type { Target } from './append.ts'
import { collectBatch, collectRows, readBatches } from './batch.ts'
import type { Batch } from './batch.ts'
import { verifyChain } from './chain.ts'
import { NOTHING_UNANCHORED } from './event-log.ts'
import type {
  AppendOptions,
  EventLog,
  ReadOptions,
  ThreadVerification,
  Verification,
} from './event-log.ts'
import { FEED_PAGE_RECORDS, LiveFeed } from './feed.ts'
import type { FeedRow, Moved } from './feed.ts'
import { ProcessLeases } from './leases.ts'
import { LogError } from './log-error.ts'
import { MemoryNotes } from './memory-notes.ts'
import type { LogRecord, NewEvent, Sha256 } from './record.ts'
import { GENESIS, storedJson } from './seal.ts'
import type { Sealed } from './seal.ts'
import { LiveTail } from './tail.ts'

export interface MemoryLogOptions {
  readonly hash: Sha256
  /** Milliseconds since the epoch, for events that bring no `ts`. */
  readonly now: () => number
  /** A fresh UUID, for events that bring no `id`. */
  readonly id: () => string
  /** A fresh one when absent. */
  readonly epoch?: string
}

interface Thread {
  readonly rows: Sealed[]
  readonly records: Map<string, LogRecord>
}

/** A log that lasts as long as its process. It forgets nothing: its size is up to its writers. */
export class MemoryLog implements EventLog {
  readonly epoch: string
  readonly leases = new ProcessLeases()
  readonly notes = new MemoryNotes()
  readonly #options: MemoryLogOptions
  readonly #threads = new Map<string, Thread>()
  readonly #tail = new LiveTail((thread) => (after, limit) => this.#load(thread, after, limit))
  /** The last record of each append, in the order of the appends. */
  readonly #moves: LogRecord[] = []
  readonly #feed = new LiveFeed({
    page: (after) => newestPerThread(this.#moves, after),
    hashAt: (number) => this.#moves[number]?.hash,
    last: () => this.#moves.length - 1,
  })
  #closed = false

  constructor(options: MemoryLogOptions) {
    assert(options.hash('') === SHA256_OF_NOTHING, 'Cannot make a log: hash is not hex SHA-256')
    this.#options = options
    this.epoch = options.epoch ?? options.id()
  }

  async append(
    name: string,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<Batch> {
    this.#assertOpen(`append to "${name}"`)
    const drafts = draftAll(name, events, this.#options)
    const refusal = this.leases.refusal(name, options.fence)
    if (refusal && drafts.length > 0) throw refusal
    const thread = this.#threads.get(name) ?? { rows: [], records: new Map<string, LogRecord>() }
    const { records, fresh } = place(drafts, targetOf(name, thread), {
      ...options,
      sha256: this.#options.hash,
    })
    if (fresh.length > 0) this.#threads.set(name, thread)
    this.#tail.publish(name, fresh)
    const last = fresh.at(-1)?.record
    if (last) this.#moves.push(last)
    this.#feed.wake()
    return records
  }

  read(name: string, options: ReadOptions = {}): AsyncIterable<Batch> {
    return readBatches(
      (after, limit) => this.#load(name, after, limit),
      () => this.head(name),
      options,
    )
  }

  readJson(name: string, options: ReadOptions = {}): AsyncIterable<readonly string[]> {
    return readBatches(
      (after, limit) =>
        collectRows(this.#rowsOf(name), after, limit).map(({ body, record }) =>
          storedJson(body, record.hash),
        ),
      () => this.head(name),
      options,
    )
  }

  subscribe(name: string, options: { readonly after?: number } = {}): AsyncIterableIterator<Batch> {
    return this.#tail.subscribe(name, options.after)
  }

  feed({ after }: { readonly after?: string } = {}): AsyncIterableIterator<readonly Moved[]> {
    this.#assertOpen('follow the log')
    return this.#feed.follow(after)
  }

  async find(name: string, id: string): Promise<LogRecord | undefined> {
    this.#assertOpen(`read "${name}"`)
    return this.#threads.get(name)?.records.get(id.toLowerCase())
  }

  async threads(): Promise<readonly string[]> {
    this.#assertOpen('list the threads')
    return [...this.#threads.keys()]
  }

  async head(name: string): Promise<number> {
    this.#assertOpen(`read "${name}"`)
    return (this.#threads.get(name)?.rows.length ?? 0) - 1
  }

  async verify(name: string): Promise<Verification> {
    this.#assertOpen(`verify "${name}"`)
    const rows = (this.#threads.get(name)?.rows ?? []).map(({ body, record }) => ({
      body,
      hash: record.hash,
    }))
    const verdict = verifyChain(rows, { thread: name, sha256: this.#options.hash })
    // No other process can write to it, so every record is confirmed.
    return { ...verdict, ...NOTHING_UNANCHORED }
  }

  async *verifyAll({ from = 0 }: { readonly from?: number } = {}): AsyncGenerator<
    ThreadVerification,
    undefined
  > {
    for (const thread of (await this.threads()).slice(from)) {
      yield { thread, ...(await this.verify(thread)) }
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#tail.close()
    this.#feed.close()
    this.leases.close()
  }

  #load(name: string, after: number, limit: number): Batch {
    return collectBatch(this.#rowsOf(name), after, limit)
  }

  #rowsOf(name: string): (seq: number) => Sealed | undefined {
    this.#assertOpen(`read "${name}"`)
    const rows = this.#threads.get(name)?.rows ?? []
    return (seq) => rows[seq]
  }

  #assertOpen(action: string): void {
    if (this.#closed) throw new LogError('closed', `Cannot ${action}: the log is closed`)
  }
}

const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function targetOf(name: string, thread: Thread): Target {
  const last = thread.rows.at(-1)?.record
  return {
    thread: name,
    head: { seq: last?.seq ?? -1, hash: last?.hash ?? GENESIS },
    find: (id: string) => thread.records.get(id),
    insert: (sealed: Sealed) => {
      const { id } = sealed.record
      if (thread.records.has(id)) return false
      thread.rows.push(sealed)
      thread.records.set(id, sealed.record)
      return true
    },
  }
}

function newestPerThread(moves: readonly LogRecord[], after: number): readonly FeedRow[] {
  const newest = new Map<string, FeedRow>()
  const page = moves.slice(after + 1, after + 1 + FEED_PAGE_RECORDS)
  for (const [index, { thread, seq, hash }] of page.entries()) {
    newest.delete(thread)
    newest.set(thread, { number: after + 1 + index, thread, seq, hash })
  }
  return [...newest.values()]
}
