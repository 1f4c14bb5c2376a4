import type {
  IndexState,
  IndexValue,
  IndexedThread,
  RankedThread,
  ThreadIndex,
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
    { app, where = {}, below = Number.POSITIVE_INFINITY, limit }: ThreadQuery,
  ): Promise<readonly RankedThread[] | undefined> {
    if (this.#state?.generation !== generation) return undefined
    const wanted = Object.entries(where)
    const found: RankedThread[] = []
    for (const row of [...this.#threads.values()].toReversed()) {
      if (found.length >= limit) break
      if (row.rank >= below || (app !== undefined && row.app !== app)) continue
      if (wanted.every(([name, values]) => isAmong(row.values?.[name], values))) found.push(row)
    }
    return found
  }
}

function isAmong(value: IndexValue | undefined, values: readonly IndexValue[]): boolean {
  return value !== undefined && values.includes(value)
}
