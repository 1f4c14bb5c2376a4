import { assert } from '../assert/index.ts'
import { draftAll, place } from './append.ts'
import type { Target } from './append.ts'
import { collectRows } from './batch.ts'
import type { Batch } from './batch.ts'
import { verifyChain } from './chain.ts'
import { NOTHING_UNANCHORED } from './event-log.ts'
import type { AppendOptions, Verification } from './event-log.ts'
import { FEED_PAGE_RECORDS, LiveFeed } from './feed.ts'
import type { FeedRow } from './feed.ts'
import { ProcessLeases } from './leases.ts'
import { MemoryNotes } from './memory-notes.ts'
import type { LogRecord, NewEvent, Sha256 } from './record.ts'
import { GENESIS, storedJson } from './seal.ts'
import type { Sealed } from './seal.ts'
import { StoredLog } from './stored-log.ts'
import type { Backend } from './stored-log.ts'
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
export class MemoryLog extends StoredLog {
  constructor(options: MemoryLogOptions) {
    assert(options.hash('') === SHA256_OF_NOTHING, 'Cannot make a log: hash is not hex SHA-256')
    super(new MemoryBackend(options))
  }
}

class MemoryBackend implements Backend {
  readonly epoch: string
  readonly leases = new ProcessLeases()
  readonly notes = new MemoryNotes()
  readonly tail = new LiveTail()
  readonly #options: MemoryLogOptions
  readonly #threads = new Map<string, Thread>()
  /** The last record of each append, in the order of the appends. */
  readonly #moves: LogRecord[] = []
  readonly feed = new LiveFeed({
    page: (after) => newestPerThread(this.#moves, after),
    hashAt: (number) => this.#moves[number]?.hash,
    last: () => this.#moves.length - 1,
  })

  constructor(options: MemoryLogOptions) {
    this.#options = options
    this.epoch = options.epoch ?? options.id()
  }

  append(name: string, events: readonly NewEvent[], options: AppendOptions): Batch {
    const drafts = draftAll(name, events, this.#options)
    const refusal = this.leases.refusal(name, options.fence)
    if (refusal && drafts.length > 0) throw refusal
    const thread = this.#threads.get(name) ?? { rows: [], records: new Map<string, LogRecord>() }
    const { records, fresh } = place(drafts, targetOf(name, thread), {
      ...options,
      sha256: this.#options.hash,
    })
    if (fresh.length > 0) this.#threads.set(name, thread)
    this.tail.publish(name, fresh)
    const last = fresh.at(-1)?.record
    if (last) this.#moves.push(last)
    this.feed.wake()
    return records
  }

  page(name: string, after: number, limit: number): Batch {
    return this.#rowsAfter(name, after, limit).map(({ record }) => record)
  }

  jsonPage(name: string, after: number, limit: number): readonly string[] {
    const rows = this.#rowsAfter(name, after, limit)
    return rows.map(({ body, record }) => storedJson(body, record.hash))
  }

  find(name: string, id: string): LogRecord | undefined {
    return this.#threads.get(name)?.records.get(id)
  }

  threads(): readonly string[] {
    return [...this.#threads.keys()]
  }

  head(name: string): number {
    return (this.#threads.get(name)?.rows.length ?? 0) - 1
  }

  verify(name: string): Verification {
    const rows = (this.#threads.get(name)?.rows ?? []).map(({ body, record }) => ({
      body,
      hash: record.hash,
    }))
    const verdict = verifyChain(rows, { thread: name, sha256: this.#options.hash })
    // No other process can write to it, so every record is confirmed.
    return { ...verdict, ...NOTHING_UNANCHORED }
  }

  lost(): readonly string[] {
    return []
  }

  close(): void {
    this.leases.close()
  }

  #rowsAfter(name: string, after: number, limit: number): readonly Sealed[] {
    const rows = this.#threads.get(name)?.rows ?? []
    return collectRows((seq) => rows[seq], after, limit)
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
