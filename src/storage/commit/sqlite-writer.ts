import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { GENESIS, LogError, unseal } from '../../log/index.ts'
import type { Anchor, LogRecord, Sealed, Target } from '../../log/index.ts'
import type { Move } from '../heads/anchored-head.ts'
import { HeadCache } from '../heads/head-cache.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import type { ClaimedStore } from './claim-store.ts'
import { isConstraint } from '../files/storage-error.ts'
import { makeDurable } from '../sqlite/sqlite-schema.ts'
import { StoreFiles } from '../sqlite/store-files.ts'

/** Rows that one statement inserts: more cost more than they save. */
const ROWS_PER_INSERT = 8

/** A thread as the writer knows it; `number` is absent while nothing of it is stored. */
interface Head extends Anchor {
  readonly number: number | undefined
}

/** The one connection that writes. Everything it does is synchronous: a transaction never waits. */
export class SqliteWriter {
  readonly #store: Pick<ClaimedStore, 'path' | 'fence'>
  readonly #database: DatabaseSync
  readonly #statements: ReturnType<typeof prepareAll>
  readonly #files: StoreFiles
  readonly #heads = new HeadCache<Head>()
  /** Heads moved by the open transaction. */
  readonly #moved = new Map<string, Head & Move>()

  /** @throws {@link LogError} or an error of the database, which it has closed */
  constructor(database: DatabaseSync, store: Pick<ClaimedStore, 'path' | 'fence'>) {
    this.#store = store
    this.#database = database
    try {
      makeDurable(database, store.path)
      // A busy file is waited for between transactions, not inside one. Which number belongs to which
      // thread is decided here alone, so that nothing needs to be looked up for every record.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA foreign_keys = OFF')
      this.#statements = prepareAll(database)
      // The first read opens the write-ahead log.
      this.#statements.fence.get()
      this.#files = new StoreFiles(store.path)
    } catch (error) {
      database.close()
      throw error
    }
  }

  begin(): void {
    this.#statements.begin.run()
    if (textOf(this.#statements.fence.get()?.[0]) === this.#store.fence) return
    throw new LogError(
      'locked',
      `Cannot append: another process has taken "${this.#store.path}" over`,
    )
  }

  /**
   * Returns once all is on the disk, with the heads that have moved.
   *
   * @throws {@link LogError} `io` when the files are no longer those that were opened
   */
  commit(): ReadonlyMap<string, Move> {
    this.#statements.commit.run()
    this.#files.requireUnchanged()
    const moved = new Map(this.#moved)
    for (const [thread, { number, seq, hash }] of moved) {
      this.#heads.set(thread, { number, seq, hash })
    }
    this.#moved.clear()
    return moved
  }

  forget(): void {
    this.#moved.clear()
  }

  rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }

  /** The thread's head is remembered from an append, not read from the database. */
  remembers(thread: string): boolean {
    return this.#moved.has(thread) || this.#heads.get(thread) !== undefined
  }

  hashAt(thread: string, seq: number): string | undefined {
    const { number } = this.head(thread)
    const row = number === undefined ? undefined : this.#statements.hashAt.get(number, seq)
    return row && textOf(row['hash'])
  }

  /** A thread to append to record by record. Only inside a transaction. */
  target(thread: string): Target {
    return {
      thread,
      head: this.head(thread),
      find: (id) => this.#find(thread, id),
      insert: (sealed) => this.insertAll(thread, [sealed]),
    }
  }

  /** False when the thread holds one of the ids; some of the others may then have been inserted. */
  insertAll(thread: string, all: readonly Sealed[]): boolean {
    const { number = this.#addThread(thread), seq: before } = this.head(thread)
    try {
      for (let at = 0; at < all.length;) {
        const rows = all.length - at < ROWS_PER_INSERT ? 1 : ROWS_PER_INSERT
        const insert = rows === 1 ? this.#statements.insert : this.#statements.insertSome
        insert.run(...columnsOf(number, all.slice(at, at + rows)))
        at += rows
      }
    } catch (error) {
      if (isConstraint(error)) return false
      throw error
    }
    const last = all.at(-1)?.record
    if (last) this.#move(thread, { number, seq: last.seq, hash: last.hash }, before)
    return true
  }

  /** Takes away what the open transaction has put into a thread after a head. */
  cutBack(thread: string, { seq, hash }: Anchor): void {
    const number = this.#statements.number.get(thread)?.['number']
    if (number === undefined) return
    this.#statements.cut.run(number, seq)
    if (seq === -1) this.#statements.removeThread.run(number)
    this.#move(thread, { number: seq === -1 ? undefined : wholeOf(number), seq, hash }, seq)
  }

  close(): void {
    this.#database.close()
  }

  head(thread: string): Head {
    const known = this.#moved.get(thread) ?? this.#heads.get(thread)
    if (known) return known
    const found = this.#statements.number.get(thread)
    const number = found && wholeOf(found['number'])
    const last = number === undefined ? undefined : this.#statements.last.get(number)
    if (!last) return { number, seq: -1, hash: GENESIS }
    return { number, seq: wholeOf(last['seq']), hash: textOf(last['hash']) }
  }

  /** `before` is where the thread stood, unless the transaction has moved it already. */
  #move(thread: string, head: Head, before: number): void {
    this.#moved.set(thread, { ...head, before: this.#moved.get(thread)?.before ?? before })
  }

  #addThread(thread: string): number {
    return Number(this.#statements.addThread.run(thread).lastInsertRowid)
  }

  #find(thread: string, id: string): LogRecord | undefined {
    const { number } = this.head(thread)
    if (number === undefined) return undefined
    const row = this.#statements.find.get(number, id)
    return row && unseal(textOf(row['body']), textOf(row['hash']))
  }
}

function columnsOf(number: number, rows: readonly Sealed[]) {
  const columns: (number | string)[] = []
  for (const { record, body } of rows) {
    columns.push(number, record.seq, record.id, record.hash, body)
  }
  return columns
}

function prepareAll(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql)
  const insert = (rows: number) =>
    'INSERT INTO records (thread, seq, id, hash, body) VALUES' +
    Array.from({ length: rows }, () => ' (?, ?, ?, ?, ?)').join()
  const fence = prepare("SELECT value FROM meta WHERE key = 'fence'")
  // Read by every transaction: an object for the row would take three times as long as the query.
  fence.setReturnArrays(true)
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    fence,
    number: prepare('SELECT number FROM threads WHERE name = ?'),
    addThread: prepare('INSERT INTO threads (name) VALUES (?)'),
    removeThread: prepare('DELETE FROM threads WHERE number = ?'),
    hashAt: prepare('SELECT hash FROM records WHERE thread = ? AND seq = ?'),
    last: prepare('SELECT seq, hash FROM records WHERE thread = ? ORDER BY seq DESC LIMIT 1'),
    find: prepare('SELECT body, hash FROM records WHERE thread = ? AND id = ?'),
    insert: prepare(insert(1)),
    insertSome: prepare(insert(ROWS_PER_INSERT)),
    cut: prepare('DELETE FROM records WHERE thread = ? AND seq > ?'),
  }
}
