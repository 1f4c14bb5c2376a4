import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { GENESIS, LogError, unseal } from '../log/index.ts'
import type { Anchor, LogRecord, Sealed, Target } from '../log/index.ts'
import { textOf, wholeOf } from './rows.ts'
import { checkOwner, checkVersion, createTables, makeDurable } from './sqlite-schema.ts'

/** Threads whose head is kept in memory; the one longest unused goes first. */
export const HEADS_CACHED_MAX = 10_000

/** A thread as the writer knows it; `number` is absent while nothing of it is stored. */
interface Head extends Anchor {
  readonly number: number | undefined
}

/** The one connection that writes. Everything it does is synchronous: a transaction never waits. */
export class SqliteWriter {
  readonly epoch: string
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #fence: string
  readonly #heads = new Map<string, Head>()
  /** Heads moved by the open transaction. */
  readonly #moved = new Map<string, Head>()

  /** @throws {@link LogError} or an error of the database, which it has closed */
  constructor(database: DatabaseSync, path: string, newEpoch: () => string) {
    this.#path = path
    this.#database = database
    try {
      checkVersion(database)
      checkOwner(database, path)
      makeDurable(database, path)
      const { epoch, fence } = takeOver(database, newEpoch)
      this.epoch = epoch
      this.#fence = fence
      this.#statements = prepareAll(database)
      // From here on a busy file is waited for between transactions, not inside one.
      database.exec('PRAGMA busy_timeout = 0')
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Runs `work` in one transaction and returns once it is on the disk, or throws and stores nothing. */
  transaction<Result>(work: () => Result): Result {
    this.#statements.begin.run()
    let result: Result
    try {
      this.#checkFence()
      result = work()
      this.#statements.commit.run()
    } catch (error) {
      this.#moved.clear()
      throw error
    }
    for (const [thread, head] of this.#moved) this.#keep(thread, head)
    this.#moved.clear()
    return result
  }

  /** Gives up what the transaction that threw has left open, for another to follow. */
  rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }

  /** A thread to append to. Only inside a transaction. */
  target(thread: string): Target {
    const head = this.#headOf(thread)
    return {
      thread,
      head,
      find: (id) => this.#find(thread, id),
      insert: (sealed) => this.#insert(thread, sealed),
    }
  }

  /** A head that a commit has left in memory. */
  knownHead(thread: string): Anchor | undefined {
    return this.#heads.get(thread)
  }

  close(): void {
    this.#database.close()
  }

  #checkFence(): void {
    if (textOf(this.#statements.fence.get()?.['value']) === this.#fence) return
    throw new LogError('locked', `Cannot append: another process has taken "${this.#path}" over`)
  }

  #headOf(thread: string): Head {
    const known = this.#moved.get(thread) ?? this.#heads.get(thread)
    if (known) return known
    const found = this.#statements.number.get(thread)
    const number = found && wholeOf(found['number'])
    const last = number === undefined ? undefined : this.#statements.last.get(number)
    if (!last) return { number, seq: -1, hash: GENESIS }
    return { number, seq: wholeOf(last['seq']), hash: textOf(last['hash']) }
  }

  #insert(thread: string, { record, body }: Sealed): boolean {
    const { seq, id, hash } = record
    const { number = this.#addThread(thread) } = this.#headOf(thread)
    const { changes } = this.#statements.insert.run(number, seq, id, hash, body)
    if (changes === 0) return false
    this.#moved.set(thread, { number, seq, hash })
    return true
  }

  #addThread(thread: string): number {
    return Number(this.#statements.addThread.run(thread).lastInsertRowid)
  }

  #find(thread: string, id: string): LogRecord | undefined {
    const { number } = this.#headOf(thread)
    if (number === undefined) return undefined
    const row = this.#statements.find.get(number, id)
    return row && unseal(textOf(row['body']), textOf(row['hash']))
  }

  #keep(thread: string, head: Head): void {
    this.#heads.delete(thread)
    this.#heads.set(thread, head)
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= HEADS_CACHED_MAX) break
      this.#heads.delete(oldest)
    }
  }
}

type Statements = ReturnType<typeof prepareAll>

function prepareAll(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql)
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    fence: prepare("SELECT value FROM meta WHERE key = 'fence'"),
    number: prepare('SELECT number FROM threads WHERE name = ?'),
    addThread: prepare('INSERT INTO threads (name) VALUES (?)'),
    last: prepare('SELECT seq, hash FROM records WHERE thread = ? ORDER BY seq DESC LIMIT 1'),
    find: prepare('SELECT body, hash FROM records WHERE thread = ? AND id = ?'),
    insert: prepare(
      'INSERT INTO records VALUES (?, ?, ?, ?, ?) ON CONFLICT (thread, id) DO NOTHING',
    ),
  }
}

/** Raises the fence, so that a writer that thinks it still holds the file cannot commit any more. */
function takeOver(database: DatabaseSync, newEpoch: () => string) {
  database.exec('BEGIN IMMEDIATE')
  createTables(database, newEpoch)
  database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'fence'")
  const meta = database.prepare('SELECT value FROM meta WHERE key = ?')
  const fence = textOf(meta.get('fence')?.['value'])
  const epoch = textOf(meta.get('epoch')?.['value'])
  database.exec('COMMIT')
  return { fence, epoch }
}
