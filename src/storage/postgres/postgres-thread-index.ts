import { indexKey } from '../../log/index.ts'
import type {
  IndexState,
  IndexedThread,
  RankedThread,
  ThreadIndex,
  ThreadQuery,
} from '../../log/index.ts'
import { textOf, wholeOf } from '../sqlite/rows.ts'
import { threadOf } from '../sqlite/thread-index.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { placeIn } from './feed-place.ts'
import { reportingAs } from './postgres-error.ts'
import { countOf, selectionOf } from './thread-selection.ts'

/**
 * An index of threads that processes share. Its position never goes back: what a process puts that
 * another one has put already changes nothing.
 */
export class PostgresThreadIndex implements ThreadIndex {
  readonly #pool: ConnectionPool

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  async load(): Promise<IndexState | undefined> {
    const [row] = await reportingAs('read the index of threads', () =>
      this.#pool.query(SQL.index_state),
    )
    return row && { generation: textOf(row['generation']), position: textOf(row['position']) }
  }

  async begin(generation: string): Promise<void> {
    await reportingAs('begin the index of threads', () =>
      this.#pool.transaction(async (connection) => {
        await connection.query(SQL.begin_generation, [generation])
        await connection.query(SQL.clear_index)
      }),
    )
  }

  put(state: IndexState, threads: readonly IndexedThread[]): Promise<boolean> {
    return reportingAs('write the index of threads', () =>
      this.#pool.transaction((connection) => put(connection, state, threads)),
    )
  }

  async list(generation: string, query: ThreadQuery): Promise<readonly RankedThread[] | undefined> {
    const { text, values } = selectionOf(generation, query)
    const rows = await reportingAs('list the threads', () =>
      this.#pool.query({ name: '', text }, values),
    )
    // The row of the generation is there, if it is this one, whether threads are found or not.
    if (rows.length === 0) return undefined
    return rows.filter((row) => row['thread'] !== null).map(threadOf)
  }

  async count(
    generation: string,
    query: Pick<ThreadQuery, 'app' | 'where'>,
  ): Promise<number | undefined> {
    const { text, values } = countOf(generation, query)
    const [row] = await reportingAs('count the threads', () =>
      this.#pool.query({ name: '', text }, values),
    )
    return row && wholeOf(row['count'])
  }
}

async function put(
  connection: Connection,
  { generation, position }: IndexState,
  threads: readonly IndexedThread[],
): Promise<boolean> {
  const [state] = await connection.query(SQL.lock_index)
  if (!state || textOf(state['generation']) !== generation) return false
  const { place } = placeIn(position)
  const [saved] = await connection.query(SQL.save_index, [
    position,
    place.xid,
    place.thread,
    threads.length,
  ])
  // Another process is as far as this one, or further.
  if (!saved || threads.length === 0) return true
  const firstRank = wholeOf(saved['last_rank']) - threads.length + 1
  const newest = new Map(
    threads.map((each, at) => [each.thread, { ...each, rank: firstRank + at }]),
  )
  const rows = [...newest.values()]
  const names = [...newest.keys()]
  await connection.query(SQL.remove_facts, [names])
  await connection.query(SQL.put_threads, [
    names,
    rows.map(({ rank }) => rank),
    rows.map(({ app }) => app ?? null),
    rows.map(({ head }) => head),
    rows.map(({ ts }) => ts ?? null),
    rows.map(({ values }) => (values ? JSON.stringify(values) : null)),
  ])
  const facts = rows.flatMap(({ rank, values = {} }) =>
    Object.entries(values).map(([name, value]) => ({ name, key: indexKey(value), rank })),
  )
  await connection.query(SQL.put_facts, [
    facts.map(({ name }) => name),
    facts.map(({ key }) => key),
    facts.map(({ rank }) => rank),
  ])
  return true
}

const SQL = statements({
  index_state: 'SELECT generation, position FROM throughline.index_state',
  begin_generation: `INSERT INTO throughline.index_state (generation, position, xid, thread)
    VALUES ($1, '', 0, -1) ON CONFLICT (one) DO UPDATE SET generation = excluded.generation,
      position = '', xid = 0, thread = -1`,
  clear_index: `WITH facts AS (DELETE FROM throughline.index_facts)
    DELETE FROM throughline.index_threads`,
  lock_index: 'SELECT generation FROM throughline.index_state FOR UPDATE',
  /** A position that names no place, as a beginning does, is never behind another one. */
  save_index: `UPDATE throughline.index_state
    SET position = $1, xid = $2::numeric, thread = $3, last_rank = last_rank + $4
    WHERE (xid, thread) < ($2::numeric, $3) OR xid = 0 RETURNING last_rank`,
  remove_facts: `DELETE FROM throughline.index_facts WHERE rank IN (
    SELECT rank FROM throughline.index_threads WHERE thread = ANY ($1::text[]))`,
  put_threads: `INSERT INTO throughline.index_threads (thread, rank, app, head, ts, held)
    SELECT * FROM unnest(
      $1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
    ON CONFLICT (thread) DO UPDATE SET rank = excluded.rank, app = excluded.app,
      head = excluded.head, ts = excluded.ts, held = excluded.held`,
  put_facts: `INSERT INTO throughline.index_facts (name, value, rank)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])`,
})
