import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import {
  BATCH_CHARS_MAX,
  BATCH_RECORDS_MAX,
  FEED_PAGE_RECORDS,
  LogError,
  storedJson,
  unseal,
} from '../../log/index.ts'
import type { Batch, FeedRow, LogRecord } from '../../log/index.ts'
import { noteKey, textOf, wholeOf } from '../sql/rows.ts'
import { storageError } from '../files/storage-error.ts'

/** The time that a read waits for a file that another process recovers. */
const READ_WAIT_MAX_MS = 1_000

/** Rows that a page reads first: their lengths show how many more fit. */
const FIRST_ROWS = 8
/** The most by which the next query may read more rows than the last one: its rows may be longer. */
const PAGE_GROWTH = 32

type Row = Readonly<Record<string, SQLOutputValue>>
type StoredText = readonly [body: string, hash: string]

/** The connection that reads. It sees whole commits only, and outlives a writer that failed. */
export class SqliteReader {
  readonly #path: string
  #database: DatabaseSync
  #statements: ReturnType<typeof prepareAll>

  constructor(path: string) {
    this.#path = path
    this.#database = openToRead(path)
    this.#statements = prepareAll(this.#database)
  }

  /** Sees what is written from now on, where the disk was full before. */
  reopen(): void {
    const database = openToRead(this.#path)
    this.#database.close()
    this.#database = database
    this.#statements = prepareAll(database)
  }

  page(thread: string, after: number, limit: number): Batch {
    return this.#textsOf(thread, after, limit).map(([body, hash]) => unseal(body, hash))
  }

  jsonPage(thread: string, after: number, limit: number): readonly string[] {
    return this.#textsOf(thread, after, limit).map(([body, hash]) => storedJson(body, hash))
  }

  find(thread: string, id: string): LogRecord | undefined {
    const row = this.#statements.find.get(thread, id)
    return row && unseal(textOf(row['body']), textOf(row['hash']))
  }

  head(thread: string): number {
    const row = this.#statements.head.get(thread)
    return row ? wholeOf(row['seq']) : -1
  }

  hashAt(thread: string, seq: number): string | undefined {
    const row = this.#statements.hashAt.get(thread, seq)
    return row && textOf(row['hash'])
  }

  threads(): readonly string[] {
    return this.#statements.threads.all().map((row) => textOf(row['name']))
  }

  isEmpty(): boolean {
    return this.#statements.any.get() === undefined
  }

  /** The newest row of each thread among the next ones of all threads. */
  feedPage(after: number): readonly FeedRow[] {
    return this.#statements.feed.all(after).map(({ number, name, seq, hash }) => ({
      number: wholeOf(number),
      thread: textOf(name),
      seq: wholeOf(seq),
      hash: textOf(hash),
    }))
  }

  hashOfRow(number: number): string | undefined {
    const row = this.#statements.hashOfRow.get(number)
    return row && textOf(row['hash'])
  }

  note(name: string): string | undefined {
    const row = this.#statements.note.get(noteKey(name))
    return row && textOf(row['value'])
  }

  /** The number of the newest row, −1 when there is none. */
  lastRow(): number {
    return wholeOf(this.#statements.lastRow.get()?.['number'] ?? -1)
  }

  *heads() {
    for (const { name, seq, hash } of this.#each('heads')) {
      yield { thread: textOf(name), seq: wholeOf(seq), hash: textOf(hash) }
    }
  }

  /** The rows of a thread after a position, one by one: a damaged page fails when it is reached. */
  *rows(thread: string, after: number, limit: number) {
    for (const row of this.#each('rows', thread, after, limit)) {
      const { seq, id, hash, body, type, by_id: byId, by_seq: bySeq, number } = row
      if (!(body instanceof Uint8Array) || type !== 'text') throw gone(thread, wholeOf(seq))
      yield {
        seq: wholeOf(seq),
        id: textOf(id),
        hash: textOf(hash),
        body,
        // Whether both indexes lead to this row.
        found: byId === number && bySeq === number,
      }
    }
  }

  close(): void {
    this.#database.close()
  }

  /** Reads one batch at most. The first rows show how many more fit. */
  #textsOf(thread: string, after: number, limit: number): readonly StoredText[] {
    const texts: StoredText[] = []
    const most = Math.min(limit, BATCH_RECORDS_MAX)
    let chars = 0
    for (let rows = Math.min(FIRST_ROWS, most); rows > 0;) {
      const found = this.#rowsAfter(thread, after + texts.length, rows)
      for (const [body, hash] of found) {
        const seq = after + 1 + texts.length
        const isInPlace = body.startsWith(`{"seq":${seq},`)
        // Records before a damaged place can still be read; a read past it fails.
        if (!isInPlace && texts.length === 0) throw gone(thread, seq)
        if (!isInPlace || (texts.length > 0 && chars + body.length > BATCH_CHARS_MAX)) return texts
        chars += body.length
        texts.push([body, hash])
      }
      if (found.length < rows) break
      const fitting = Math.floor(((BATCH_CHARS_MAX - chars) * texts.length) / chars)
      rows = Math.min(fitting, most - texts.length, texts.length * PAGE_GROWTH)
    }
    return texts
  }

  #rowsAfter(thread: string, after: number, limit: number): readonly StoredText[] {
    try {
      // Rows come as arrays: an object each would take as long again as all the rest.
      const rows = this.#statements.page.all(thread, after, limit) as unknown as unknown[][]
      return rows.map(([body, hash]) => [textOf(body), textOf(hash)])
    } catch (error) {
      this.#statements = prepareAll(this.#database)
      throw error
    }
  }

  *#each(name: 'heads' | 'rows', ...given: SQLInputValue[]): Generator<Row, undefined> {
    try {
      yield* this.#statements[name].iterate(...given)
    } catch (error) {
      // A statement that failed half-way fails again when it is used again, for no reason.
      this.#statements = prepareAll(this.#database)
      throw error
    }
  }
}

/** On a full disk a database that was closed is read as it is: only a writer would change it. */
export function openToRead(path: string): DatabaseSync {
  const options = { readOnly: true, timeout: READ_WAIT_MAX_MS }
  const database = new DatabaseSync(path, options)
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    const isFull = storageError('read', error).code === 'storage_full'
    if (!isFull || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw error
    const address = pathToFileURL(path)
    address.searchParams.set('immutable', '1')
    return new DatabaseSync(address, options)
  }
}

function prepareAll(database: DatabaseSync) {
  const of = 'thread = (SELECT number FROM threads WHERE name = ?)'
  const page = database.prepare(
    `SELECT body, hash FROM records WHERE ${of} AND seq > ? ORDER BY seq LIMIT ?`,
  )
  page.setReturnArrays(true)
  return {
    page,
    find: database.prepare(`SELECT body, hash FROM records WHERE ${of} AND id = ?`),
    head: database.prepare(`SELECT seq FROM records WHERE ${of} ORDER BY seq DESC LIMIT 1`),
    hashAt: database.prepare(`SELECT hash FROM records WHERE ${of} AND seq = ?`),
    any: database.prepare('SELECT 1 FROM records LIMIT 1'),
    threads: database.prepare('SELECT name FROM threads ORDER BY number'),
    // For a column beside max(), SQLite takes the row of the maximum.
    feed: database.prepare(`
      SELECT max(r.number) AS number, t.name, r.seq, r.hash FROM (
        SELECT number, thread, seq, hash FROM records
        WHERE number > ? ORDER BY number LIMIT ${FEED_PAGE_RECORDS}
      ) r JOIN threads t ON t.number = r.thread GROUP BY r.thread ORDER BY 1`),
    hashOfRow: database.prepare('SELECT hash FROM records WHERE number = ?'),
    lastRow: database.prepare('SELECT max(number) AS number FROM records'),
    note: database.prepare('SELECT value FROM meta WHERE key = ?'),
    heads: database.prepare(`
      SELECT t.name, r.seq, r.hash FROM threads t JOIN records r
      ON r.thread = t.number AND r.seq = (SELECT max(seq) FROM records WHERE thread = t.number)`),
    rows: database.prepare(`
      SELECT number, seq, id, hash, typeof(body) AS type, CAST(body AS BLOB) AS body,
        (SELECT i.number FROM records i INDEXED BY records_by_id
          WHERE i.id = r.id AND i.thread = r.thread) AS by_id,
        (SELECT i.number FROM records i INDEXED BY records_by_seq
          WHERE i.thread = r.thread AND i.seq = r.seq) AS by_seq
      FROM records r WHERE ${of} AND seq > ? ORDER BY seq LIMIT ?`),
  }
}

function gone(thread: string, seq: number): LogError {
  return new LogError('corrupt', `Cannot read "${thread}": record ${seq} is not where it belongs`)
}
