import type { Anchor } from '../../log/index.ts'
import { statements } from './connection.ts'

type Column = readonly (string | number)[]

/** The columns of the rows that a group stores. */
export interface GroupRows {
  /** Of the threads that move: number, seq and hash after the group, the time, the signature. */
  readonly threads: readonly Column[]
  /** Of the records: number of the thread, seq, id, hash, body. */
  readonly records: readonly Column[]
}

/** The parameters of `append` before its last one. */
export function valuesOf(rows: GroupRows): readonly unknown[] {
  return [...rows.threads, ...rows.records.map(lines)]
}

/**
 * A column of the records as one text: the driver escapes an array item by item, and Postgres reads it so.
 * No item holds a newline: JSON writes it as an escape.
 */
function lines(items: Column): string {
  return items.join('\n')
}

const column = (parameter: string, type: string): string =>
  `string_to_array(${parameter}::text, E'\\n')::${type}[]`

const GIVEN = `
  given AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[])
      AS g (number, seq, hash, ts, sum)
  )`

const put = (where: string) => `
  moved AS (
    UPDATE throughline.threads t SET seq = g.seq, hash = g.hash, ts = g.ts, sum = g.sum
    FROM given g WHERE t.number = g.number AND ${where}
  ),
  noted AS (
    INSERT INTO throughline.moves (thread, seq, hash)
    SELECT number, seq, hash FROM given WHERE ${where} ORDER BY number
  ),
  inserted AS (
    INSERT INTO throughline.records (thread, seq, id, hash, body)
    SELECT * FROM unnest(
      ${column('$6', 'bigint')}, ${column('$7', 'bigint')}, ${column('$8', 'uuid')},
      ${column('$9', 'text')}, ${column('$10', 'text')}
    )
    WHERE ${where}
  )`

/** A fence that must still be current. */
export interface Fence {
  readonly thread: string
  readonly fence: number
}

/** The parameters of `compare_and_append_to_one` for rows of one thread. */
export function valuesOfOne(
  rows: GroupRows,
  { seq, hash }: Anchor,
  fence: Fence | undefined,
): readonly unknown[] {
  return [
    ...rows.threads.map(([only]) => only),
    // The statement gives all records the number of the thread.
    ...rows.records.slice(1).map(lines),
    seq,
    hash,
    fence?.thread ?? null,
    fence?.fence ?? null,
  ]
}

/** The parameters of `compare_and_append`. */
export function valuesOfSeveral(
  rows: GroupRows,
  expected: readonly Anchor[],
  fences: readonly Fence[],
): readonly unknown[] {
  return [
    ...valuesOf(rows),
    expected.map(({ seq }) => seq),
    expected.map(({ hash }) => hash),
    fences.map(({ thread }) => thread),
    fences.map(({ fence }) => fence),
  ]
}

export const SQL = statements({
  /**
   * Locks the threads, compares their heads and the fences, and stores the group if all are as they were.
   * After a wait for a lock, a row is compared as the other transaction has left it.
   */
  compare_and_append: `WITH ${GIVEN},
  expected AS (
    SELECT * FROM unnest($1::bigint[], $11::bigint[], $12::text[]) AS e (number, seq, hash)
  ),
  locked AS MATERIALIZED (
    SELECT t.number, t.seq, t.hash FROM throughline.threads t
    WHERE t.number = ANY ($1::bigint[]) ORDER BY t.number FOR NO KEY UPDATE
  ),
  held AS MATERIALIZED (
    SELECT l.name FROM throughline.leases l
    JOIN unnest($13::text[], $14::bigint[]) AS f (name, fence) ON l.name = f.name AND l.fence = f.fence
    WHERE l.holder IS NOT NULL ORDER BY l.name FOR SHARE OF l
  ),
  fit AS MATERIALIZED (
    SELECT (
      SELECT count(*) FROM locked JOIN expected e USING (number)
      WHERE locked.seq = e.seq AND locked.hash = e.hash
    ) = cardinality($1::bigint[])
    AND (SELECT count(*) FROM held) = cardinality($13::text[]) AS is_fit
  ),
  ${put('(SELECT is_fit FROM fit)')}
  SELECT is_fit FROM fit`,
  /**
   * The same for one thread, faster: with one row to lock there is no order of locks to keep.
   * `$12` and `$13` are the thread's lease and its fence, if it is appended to under one.
   */
  compare_and_append_to_one: `WITH held AS MATERIALIZED (
    SELECT FROM throughline.leases
    WHERE name = $12::text AND fence = $13::bigint AND holder IS NOT NULL FOR SHARE
  ),
  moved AS (
    UPDATE throughline.threads SET seq = $2::bigint, hash = $3::text, ts = $4::bigint, sum = $5::text
    WHERE number = $1::bigint AND seq = $10::bigint AND hash = $11::text
      AND ($12::text IS NULL OR EXISTS (SELECT FROM held))
    RETURNING number
  ),
  noted AS (
    INSERT INTO throughline.moves (thread, seq, hash) SELECT number, $2::bigint, $3::text FROM moved
  ),
  inserted AS (
    INSERT INTO throughline.records (thread, seq, id, hash, body)
    SELECT moved.number, given.* FROM moved, unnest(
      ${column('$6', 'bigint')}, ${column('$7', 'uuid')}, ${column('$8', 'text')}, ${column('$9', 'text')}
    ) AS given
  )
  SELECT EXISTS (SELECT FROM moved) AS is_fit`,
  /** Stores a group whose threads the transaction has locked; `$11` are threads that stay empty. */
  append: `WITH ${GIVEN}, ${put('true')}
  DELETE FROM throughline.threads WHERE number = ANY ($11::bigint[]) AND seq = -1`,
  /**
   * Numbers new threads in the order given. It inserts them in one order everywhere, and before stored ones
   * are locked: no two groups wait for each other.
   */
  add_threads: `INSERT INTO throughline.threads (number, name)
    SELECT number, name FROM (
      SELECT nextval('throughline.thread_numbers') AS number, name FROM unnest($1::text[]) AS g (name)
    ) AS numbered ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO NOTHING`,
  lock_threads: `SELECT number, name, seq, hash, ts, sum FROM throughline.threads
    WHERE name = ANY ($1::text[]) ORDER BY number FOR NO KEY UPDATE`,
  lock_leases: `SELECT name, fence FROM throughline.leases
    WHERE name = ANY ($1::text[]) AND holder IS NOT NULL ORDER BY name FOR SHARE`,
  find_held: `SELECT r.thread, r.id, r.body, r.hash FROM throughline.records r
    JOIN unnest($1::bigint[], $2::uuid[]) AS g (thread, id) ON r.id = g.id AND r.thread = g.thread`,
})
