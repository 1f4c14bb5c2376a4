import { boundsOf, indexKey, isValues } from './index-key.ts'
import type { IndexValue, KeyBound, ValueRange } from './index-key.ts'
import type {
  IndexState,
  IndexedThread,
  RankedThread,
  ThreadIndex,
  ThreadOrder,
  ThreadPlace,
  ThreadQuery,
} from './thread-index.ts'

/** An index that lasts as long as its process. It grows with the number of threads. */
export class MemoryThreadIndex implements ThreadIndex {
  /** By rising rank: a thread that is put again is removed first. */
  readonly #threads = new Map<string, RankedThread>()
  #state: IndexState | undefined
  #rank = 0

  async load(): Promise<IndexState | undefined> {
    return this.#state
  }

  async begin(generation: string): Promise<void> {
    this.#threads.clear()
    this.#state = { generation, position: '' }
  }

  async put(state: IndexState, threads: readonly IndexedThread[]): Promise<boolean> {
    if (this.#state?.generation !== state.generation) return false
    for (const row of threads) {
      this.#threads.delete(row.thread)
      this.#threads.set(row.thread, { ...row, rank: ++this.#rank })
    }
    this.#state = state
    return true
  }

  async list(
    generation: string,
    { orderBy, after, limit, ...query }: ThreadQuery,
  ): Promise<readonly RankedThread[] | undefined> {
    if (this.#state?.generation !== generation) return undefined
    if (orderBy) return ordered(this.#found(query), orderBy, after).slice(0, limit)
    const found: RankedThread[] = []
    for (const row of this.#found(query)) {
      if (found.length >= limit) break
      if (after === undefined || row.rank < after.rank) found.push(row)
    }
    return found
  }

  async count(generation: string, query: Found): Promise<number | undefined> {
    if (this.#state?.generation !== generation) return undefined
    return [...this.#found(query)].length
  }

  /** The highest rank first. */
  *#found({ app, where = {} }: Found): Generator<RankedThread> {
    const tests = Object.entries(where).map(([name, wanted]) => ({ name, test: testOf(wanted) }))
    for (const row of [...this.#threads.values()].toReversed()) {
      if (app !== undefined && row.app !== app) continue
      if (tests.every(({ name, test }) => test(row.values?.[name]))) yield row
    }
  }
}

type Found = Pick<ThreadQuery, 'app' | 'where'>

function ordered(
  rows: Iterable<RankedThread>,
  { name, direction }: ThreadOrder,
  after: ThreadPlace | undefined,
): readonly RankedThread[] {
  const sign = direction === 'asc' ? 1 : -1
  const placed = [...rows].flatMap((row) => {
    const value = row.values?.[name]
    const key = value === undefined ? undefined : indexKey(value)
    if (key === undefined) return []
    const place = { rank: row.rank, key }
    return after === undefined || sign * compared(place, after) > 0 ? [{ place, row }] : []
  })
  return placed.sort((one, other) => sign * compared(one.place, other.place)).map(({ row }) => row)
}

function compared(one: ThreadPlace, other: ThreadPlace): number {
  if (one.key === other.key) return one.rank - other.rank
  return one.key < other.key ? -1 : 1
}

function testOf(
  wanted: readonly IndexValue[] | ValueRange,
): (value: IndexValue | undefined) => boolean {
  if (isValues(wanted)) return (value) => value !== undefined && wanted.includes(value)
  const bounds = boundsOf(wanted)
  return (value) => {
    if (value === undefined) return false
    const key = indexKey(value)
    return bounds.every((bound) => IS[bound.operator](key, bound.key))
  }
}

const IS: Readonly<Record<KeyBound['operator'], (key: string, bound: string) => boolean>> = {
  '>=': (key, bound) => key >= bound,
  '>': (key, bound) => key > bound,
  '<=': (key, bound) => key <= bound,
  '<': (key, bound) => key < bound,
}
