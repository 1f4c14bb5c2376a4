import type { DatabaseSync } from 'node:sqlite'
import { indexKey } from '../../log/index.ts'
import type {
  IndexState,
  IndexValue,
  IndexedThread,
  LogError,
  RankedThread,
  ThreadIndex,
  ThreadQuery,
} from '../../log/index.ts'
import { textOf, wholeOf } from './rows.ts'
import { SideFile } from './side-file.ts'
import { sqlitePath } from './sqlite-url.ts'
import { countOf, selectionOf } from './thread-selection.ts'

/** The format of the file: another one is begun anew. */
const FORMAT = 2

type Row = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, IndexValue>>

export interface ThreadIndexFileOptions {
  /** Values that are removed or replaced are overwritten in the file. */
  readonly overwrites?: boolean
}

/** A thread index in an SQLite file beside the log. Losing it costs a pass over the log. */
export class ThreadIndexFile implements ThreadIndex {
  readonly #file: SideFile

  constructor(
    path: string,
    onFault?: (error: LogError) => void,
    { overwrites = false }: ThreadIndexFileOptions = {},
  ) {
    const terms = { path, format: FORMAT, tables: TABLES, synchronous: 'NORMAL' } as const
    this.#file = new SideFile({ ...terms, overwrites, onFault })
  }

  async load(): Promise<IndexState | undefined> {
    return this.#file.use('read', stateIn)
  }

  async begin(generation: string): Promise<void> {
    this.#file.change('write', (database) => {
      database.exec('DELETE FROM threads; DELETE FROM facts')
      saveState(database, { generation, position: '' })
    })
  }

  async put(state: IndexState, threads: readonly IndexedThread[]): Promise<boolean> {
    const isSaved = this.#file.change('write', (database) => {
      if (stateIn(database)?.generation !== state.generation) return false
      const put = putter(database)
      for (const row of threads) put(row)
      saveState(database, state)
      return true
    })
    return isSaved ?? false
  }

  async list(generation: string, query: ThreadQuery): Promise<readonly RankedThread[] | undefined> {
    return this.#file.use('read', (database) => {
      if (stateIn(database)?.generation !== generation) return undefined
      const { sql, given } = selectionOf(query)
      return database
        .prepare(sql)
        .all(...given)
        .map(threadOf)
    })
  }

  async count(
    generation: string,
    query: Pick<ThreadQuery, 'app' | 'where'>,
  ): Promise<number | undefined> {
    return this.#file.use('read', (database) => {
      if (stateIn(database)?.generation !== generation) return undefined
      const { sql, given } = countOf(query)
      return wholeOf(database.prepare(sql).get(...given)?.['count'])
    })
  }

  async scrub(): Promise<void> {
    this.#file.use('write', (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  close(): void {
    this.#file.close()
  }
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS state (
    one INTEGER PRIMARY KEY CHECK (one = 1), generation TEXT NOT NULL, position TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS threads (
    rank INTEGER PRIMARY KEY, thread TEXT NOT NULL UNIQUE, app TEXT, head INTEGER NOT NULL,
    ts INTEGER, held TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS threads_of_app ON threads (app, rank);
  CREATE TABLE IF NOT EXISTS facts (
    name TEXT NOT NULL, value TEXT NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (name, value, rank)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS facts_of_thread ON facts (rank, name, value);`

/** The thread index beside the log at `sqlite:PATH`; a log in memory has no past to be found in. */
export function openThreadIndex(
  url: string,
  onFault?: (error: LogError) => void,
  options?: ThreadIndexFileOptions,
): ThreadIndexFile | undefined {
  const path = sqlitePath(url)
  return path === undefined ? undefined : new ThreadIndexFile(`${path}.threads`, onFault, options)
}

function stateIn(database: DatabaseSync): IndexState | undefined {
  const row = database.prepare('SELECT generation, position FROM state').get()
  return row && { generation: textOf(row['generation']), position: textOf(row['position']) }
}

function saveState(database: DatabaseSync, { generation, position }: IndexState): void {
  database.prepare('INSERT OR REPLACE INTO state VALUES (1, ?, ?)').run(generation, position)
}

/** Puts threads one after the other, each in front of all others. */
function putter(database: DatabaseSync): (row: IndexedThread) => void {
  const before = database.prepare('SELECT rank, held FROM threads WHERE thread = ?')
  const remove = database.prepare('DELETE FROM threads WHERE rank = ?')
  const removeFact = database.prepare('DELETE FROM facts WHERE name = ? AND value = ? AND rank = ?')
  const add = database.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?)')
  const addFact = database.prepare('INSERT INTO facts VALUES (?, ?, ?)')
  let rank = wholeOf(
    database.prepare('SELECT ifnull(max(rank), 0) AS rank FROM threads').get()?.['rank'],
  )
  return ({ thread, app, head, ts, values }) => {
    const old = before.get(thread)
    if (old) {
      const oldRank = wholeOf(old['rank'])
      for (const [name, value] of factsOf(valuesOf(old))) removeFact.run(name, value, oldRank)
      remove.run(oldRank)
    }
    const held = values ? JSON.stringify(values) : null
    add.run(++rank, thread, app ?? null, head, ts ?? null, held)
    for (const [name, value] of factsOf(values)) addFact.run(name, value, rank)
  }
}

function factsOf(values: Values = {}): [string, string][] {
  return Object.entries(values).map(([name, value]) => [name, indexKey(value)])
}

/** Reads a row of either database: `put` stored the text in `held`. */
export function threadOf(row: Row): RankedThread {
  const { app, ts } = row
  const values = valuesOf(row)
  return {
    thread: textOf(row['thread']),
    rank: wholeOf(row['rank']),
    head: wholeOf(row['head']),
    ...(app === null ? {} : { app: textOf(app) }),
    ...(ts === null ? {} : { ts: wholeOf(ts) }),
    ...(values && { values }),
  }
}

function valuesOf({ held }: Row): Values | undefined {
  // `put` stored this text.
  return held === null ? undefined : (JSON.parse(textOf(held)) as Values)
}
