import type { Cursors, ConsumerRow, LogError, OpenRow } from '../../log/index.ts'
import { textOf, wholeOf } from '../sqlite/rows.ts'
import { statements } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { placeIn } from './feed-place.ts'
import { postgresError, reportingAs } from './postgres-error.ts'

/** Threads that wait for the database to save them; with more, this process saves nothing any more. */
export const UNSAVED_THREADS_MAX = 100_000

/** The rows of one consumer that this process has not saved yet. */
interface Unsaved {
  /** The prefix of what the database held when this process last looked. */
  seenPrefix: string
  readonly rows: Map<string, number | undefined>
  isGivenUp: boolean
}

/**
 * Cursors that processes share. A position never goes back: a process that is behind another one saves
 * nothing, since the other one has looked at the same threads. A process whose prefix another one has
 * replaced saves nothing either.
 */
export class PostgresCursors implements Cursors {
  readonly #pool: ConnectionPool
  readonly #onFault: (error: LogError) => void
  readonly #consumers = new Map<string, Unsaved>()

  constructor(pool: ConnectionPool, onFault: (error: LogError) => void) {
    this.#pool = pool
    this.#onFault = onFault
  }

  async load(consumer: string): Promise<string | undefined> {
    const [row] = await reportingAs(`load the cursor "${consumer}"`, () =>
      this.#pool.query(SQL.load_cursor, [consumer]),
    )
    const position = row && textOf(row['position'])
    this.#of(consumer).seenPrefix = placeIn(position ?? '').prefix
    return position
  }

  async open(consumer: string): Promise<readonly OpenRow[]> {
    const rows = await reportingAs(`load the threads of "${consumer}"`, () =>
      this.#pool.query(SQL.open_threads, [consumer]),
    )
    return rows.map((row) => ({ thread: textOf(row['thread']), dueAt: wholeOf(row['due_at']) }))
  }

  /** Rows that the database does not take now go with the next save. */
  async save(consumer: string, position: string, rows: readonly ConsumerRow[]): Promise<void> {
    const unsaved = this.#of(consumer)
    for (const { thread, dueAt } of rows) unsaved.rows.set(thread, dueAt)
    if (unsaved.rows.size > UNSAVED_THREADS_MAX) unsaved.isGivenUp = true
    if (unsaved.isGivenUp) {
      unsaved.rows.clear()
      return
    }
    const { prefix, place } = placeIn(position)
    const saving = new Map(unsaved.rows)
    const open = [...saving].filter(([, dueAt]) => dueAt !== undefined)
    const closed = [...saving].filter(([, dueAt]) => dueAt === undefined)
    try {
      await this.#pool.query(SQL.save_cursor, [
        consumer,
        prefix,
        position,
        place.xid,
        place.thread,
        unsaved.seenPrefix,
        open.map(([thread]) => thread),
        open.map(([, dueAt]) => Math.trunc(dueAt ?? 0)),
        closed.map(([thread]) => thread),
      ])
    } catch (error) {
      return this.#onFault(postgresError(`save the cursor "${consumer}"`, error))
    }
    unsaved.seenPrefix = prefix
    for (const [thread, dueAt] of saving) {
      if (unsaved.rows.get(thread) === dueAt) unsaved.rows.delete(thread)
    }
  }

  #of(consumer: string): Unsaved {
    const known = this.#consumers.get(consumer)
    if (known) return known
    const unsaved = { seenPrefix: '', rows: new Map<string, number>(), isGivenUp: false }
    this.#consumers.set(consumer, unsaved)
    return unsaved
  }
}

const SQL = statements({
  load_cursor: 'SELECT position FROM throughline.cursors WHERE consumer = $1',
  open_threads: `SELECT thread, due_at FROM throughline.open_threads WHERE consumer = $1
    ORDER BY due_at, thread`,
  /** Locks the cursor's row first, so that two processes do not change the threads at once. */
  save_cursor: `WITH saved AS (
    INSERT INTO throughline.cursors AS c (consumer, prefix, position, xid, thread)
    VALUES ($1, $2, $3, $4::numeric, $5)
    ON CONFLICT (consumer) DO UPDATE SET prefix = excluded.prefix, position = excluded.position,
      xid = excluded.xid, thread = excluded.thread
    WHERE (c.prefix = excluded.prefix AND (c.xid, c.thread) <= (excluded.xid, excluded.thread))
      OR (c.prefix <> excluded.prefix AND c.prefix = $6)
    RETURNING consumer
  ),
  removed AS (
    DELETE FROM throughline.open_threads t USING saved
    WHERE t.consumer = saved.consumer AND t.thread = ANY ($9::text[])
  )
  INSERT INTO throughline.open_threads (consumer, thread, due_at)
  SELECT saved.consumer, o.thread, o.due_at
  FROM saved, unnest($7::text[], $8::bigint[]) AS o (thread, due_at)
  ON CONFLICT (consumer, thread) DO UPDATE SET due_at = excluded.due_at`,
})
