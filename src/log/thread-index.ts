import { comparePlaces, placeIn } from './feed-place.ts'
import { boundsOf, indexKey, isValues } from './index-key.ts'
import type { IndexValue, ValueRange } from './index-key.ts'
import { shelfNamed, shelvesNamed } from './shelves.ts'
import type { OnShelf, ShelfEntry, ShelfListing, ShelfQuery, Shelves } from './shelves.ts'

/** A thread as an index holds it. */
export interface IndexedThread {
  readonly thread: string
  /** The application that the thread belongs to; absent when it belongs to none. */
  readonly app?: string
  /** The seq of the record up to which the thread was folded. */
  readonly head: number
  /** When that record was appended, in milliseconds since the epoch; absent when it could not be read. */
  readonly ts?: number
  /** By name; absent when its application declares none, and when they could not be computed. */
  readonly values?: Readonly<Record<string, IndexValue>>
}

export interface RankedThread extends IndexedThread {
  /** Rises with each thread that is put: the thread that moved last has the highest. */
  readonly rank: number
}

export interface ThreadQuery {
  readonly app?: string | undefined
  /** By name, the values of which a thread must have one, or the range that its value must lie in. */
  readonly where?: Readonly<Record<string, readonly IndexValue[] | ValueRange>>
  /** Lists the threads that have a value of this name, by its {@link indexKey} and then by rank. */
  readonly orderBy?: ThreadOrder | undefined
  /** Lists only what comes after this place in the order: without `orderBy`, threads of a smaller rank. */
  readonly after?: ThreadPlace | undefined
  readonly limit: number
}

export interface ThreadOrder {
  readonly name: string
  /** Of the keys and of the ranks. */
  readonly direction: 'asc' | 'desc'
}

/** The place of a thread in a list. */
export interface ThreadPlace {
  readonly rank: number
  /** Of the value that the list is ordered by; the empty text where it is ordered by rank alone. */
  readonly key: string
}

/** The progress of an index. */
export interface IndexState {
  /** Names what the index holds, from one `begin` to the next. */
  readonly generation: string
  /** The position in the log's feed; the empty text before the first put. */
  readonly position: string
}

/** Its entry is sorted by the generation, ranked as the thread that was put last, and holds the position. */
const STATE = { shelf: shelfNamed('index', 'state'), key: '' }
const THREADS = shelfNamed('index', 'threads')
/** What the names of the shelves begin with by which threads are found. */
const FOUND_BY = shelvesNamed('index', 'by')
const APP = shelfNamed('index', 'by')

type Found = Pick<ThreadQuery, 'app' | 'where'>

/**
 * The threads of a log with values of their states, computed from the log, on shelves. Shelves may lose all of it at
 * any time: then it holds no generation, and its reader computes the rows again from the whole feed.
 *
 * Processes may share it. A position that they can compare never goes back: what a process puts that another one has
 * put already changes nothing.
 */
export class ThreadIndex {
  readonly #shelves: Shelves

  constructor(shelves: Shelves) {
    this.#shelves = shelves
  }

  /** Returns `undefined` when the index has not begun. */
  async load(): Promise<IndexState | undefined> {
    const held = await this.#shelves.get(STATE)
    return held && { generation: held.sort, position: held.value }
  }

  /** Removes all threads and begins a generation. */
  async begin(generation: string): Promise<void> {
    await this.#shelves.update(STATE, (held) => ({
      remove: [{ shelf: THREADS }, { shelf: FOUND_BY }],
      put: [{ ...STATE, sort: generation, rank: held?.rank ?? 0, value: '' }],
    }))
  }

  /**
   * Saves the position and the threads, in rising rank, together or not at all. Returns false, and changes nothing,
   * when the index does not hold this generation.
   */
  put({ generation, position }: IndexState, threads: readonly IndexedThread[]): Promise<boolean> {
    return this.#shelves.update(STATE, (held) => {
      if (held?.sort !== generation) return undefined
      if (isPut(position, held.value)) return {}
      const rank = held.rank + threads.length
      const state = { ...STATE, sort: generation, rank, value: position }
      const newest = new Map(
        threads.map((each, at) => [each.thread, entriesOf(each, held.rank + 1 + at)]),
      )
      return {
        remove: [...newest.keys()].map((key) => ({ shelf: FOUND_BY, key })),
        put: [state, ...[...newest.values()].flat()],
      }
    })
  }

  /**
   * Without `orderBy` the highest rank first; `undefined` when the index does not hold this generation. Texts are at
   * most {@link INDEX_TEXT_CHARS_MAX} characters long.
   */
  async list(generation: string, query: ThreadQuery): Promise<readonly RankedThread[] | undefined> {
    const entries = await this.#shelves.list(THREADS, listingOf(query))
    return (await this.#holds(generation)) ? entries.map(threadOf) : undefined
  }

  /** Counts the threads of a list without an end; `undefined` as `list` returns it. */
  async count(generation: string, query: Found): Promise<number | undefined> {
    const count = await this.#shelves.count(foundBy(query))
    return (await this.#holds(generation)) ? count : undefined
  }

  /** Leaves nothing of earlier values in its files, as far as it can. */
  async scrub(): Promise<void> {
    await this.#shelves.scrub?.()
  }

  /** Asked after a list: no generation comes back, so the list was of this one too. */
  async #holds(generation: string): Promise<boolean> {
    return (await this.load())?.generation === generation
  }
}

/** Whether another process has put everything up to a position. */
function isPut(position: string, held: string): boolean {
  const [before, after] = [placeIn(held).place, placeIn(position).place]
  return before !== undefined && after !== undefined && comparePlaces(after, before) <= 0
}

function entriesOf({ thread: key, ...row }: IndexedThread, rank: number): readonly ShelfEntry[] {
  const { app, values = {} } = row
  const facts = Object.entries(values).map(([name, value]) => {
    return { shelf: shelfBy(name), key, sort: indexKey(value), rank, value: '' }
  })
  const whole = { shelf: THREADS, key, sort: '', rank, value: JSON.stringify(row) }
  const ofApp = app === undefined ? [] : [{ shelf: APP, key, sort: app, rank, value: '' }]
  return [whole, ...ofApp, ...facts]
}

function threadOf({ key: thread, rank, value }: ShelfEntry): RankedThread {
  // `entriesOf` made this text.
  return { ...(JSON.parse(value) as Omit<IndexedThread, 'thread'>), thread, rank }
}

function shelfBy(name: string): string {
  return shelfNamed('index', 'by', name)
}

function listingOf({ orderBy, after, limit, ...query }: ThreadQuery): ShelfListing {
  const place = after && { sort: after.key, rank: after.rank }
  return {
    ...foundBy(query, orderBy?.name),
    order: orderBy ? 'sort' : 'rank',
    direction: orderBy?.direction ?? 'desc',
    after: place,
    limit,
  }
}

/** The entries of the leading shelf are read; those of each further one are looked up for the keys found so. */
function foundBy({ app, where = {} }: Found, leading = leadOf(where)): ShelfQuery {
  const terms = Object.entries(where).map(([name, wanted]) => termOf(name, wanted))
  const all = app === undefined ? terms : [...terms, { shelf: APP, sorts: [app] }]
  if (leading === undefined) {
    const [by = { shelf: THREADS, sorts: [''] }, ...on] = all
    return { by, on }
  }
  const shelf = shelfBy(leading)
  const by = all.find((each) => each.shelf === shelf) ?? { shelf }
  return { by, on: all.filter((each) => each !== by) }
}

/** Of several names, one whose entries come by rank, if there is one. */
function leadOf(where: NonNullable<ThreadQuery['where']>): string | undefined {
  const names = Object.keys(where)
  return names.find((name) => isOneValue(where[name])) ?? names[0]
}

type Wanted = readonly IndexValue[] | ValueRange

function isOneValue(wanted: Wanted | undefined): boolean {
  return wanted !== undefined && isValues(wanted) && wanted.length === 1
}

function termOf(name: string, wanted: Wanted): OnShelf {
  const shelf = shelfBy(name)
  if (isValues(wanted)) return { shelf, sorts: wanted.map(indexKey) }
  return { shelf, bounds: boundsOf(wanted) }
}
