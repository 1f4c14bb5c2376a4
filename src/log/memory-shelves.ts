import type { KeyBound } from './index-key.ts'
import type {
  OnShelf,
  ShelfChange,
  ShelfEntry,
  ShelfListing,
  ShelfPlace,
  ShelfQuery,
  Shelves,
} from './shelves.ts'

/** Shelves that last as long as their process. They grow with what is put on them. */
export class MemoryShelves implements Shelves {
  readonly #shelves = new Map<string, Map<string, ShelfEntry>>()

  async get(place: ShelfPlace): Promise<ShelfEntry | undefined> {
    return this.#held(place)
  }

  async list(
    shelf: string,
    { order, direction, after, limit, ...query }: ShelfListing,
  ): Promise<readonly ShelfEntry[]> {
    const sign = direction === 'asc' ? 1 : -1
    const compare = (one: Place, other: Place): number =>
      sign * ((order === 'sort' && compareTexts(one.sort, other.sort)) || one.rank - other.rank)
    return this.#found(query)
      .filter((entry) => after === undefined || compare(entry, after) > 0)
      .sort(compare)
      .flatMap(({ key }) => this.#held({ shelf, key }) ?? [])
      .slice(0, limit)
  }

  async count(query: ShelfQuery): Promise<number> {
    return this.#found(query).length
  }

  async change({ remove = [], put = [] }: ShelfChange): Promise<void> {
    for (const { shelf, key } of remove) this.#remove(shelf, key)
    for (const entry of put) {
      const entries = this.#shelves.get(entry.shelf) ?? new Map<string, ShelfEntry>()
      this.#shelves.set(entry.shelf, entries)
      // Entries stay in the order in which they were put, so that sorting them by rank is quick.
      entries.delete(entry.key)
      entries.set(entry.key, entry)
    }
  }

  async update(
    place: ShelfPlace,
    decide: (held: ShelfEntry | undefined) => ShelfChange | undefined,
  ): Promise<boolean> {
    const change = decide(this.#held(place))
    if (change) await this.change(change)
    return change !== undefined
  }

  async close(): Promise<void> {
    this.#shelves.clear()
  }

  #held({ shelf, key }: ShelfPlace): ShelfEntry | undefined {
    return this.#shelves.get(shelf)?.get(key)
  }

  /** The same entry on another shelf: it has the same rank there. */
  #same(shelf: string, { key, rank }: ShelfEntry): ShelfEntry | undefined {
    const held = this.#held({ shelf, key })
    return held?.rank === rank ? held : undefined
  }

  #remove(beginning: string, key: string | undefined): void {
    for (const [shelf, entries] of this.#shelves) {
      if (!shelf.startsWith(beginning)) continue
      if (key !== undefined) entries.delete(key)
      if (key === undefined || entries.size === 0) this.#shelves.delete(shelf)
    }
  }

  #found({ by, on = [] }: ShelfQuery): ShelfEntry[] {
    const entries = [...(this.#shelves.get(by.shelf)?.values() ?? [])]
    return entries.filter(
      (entry) => isOn(entry, by) && on.every((each) => isOn(this.#same(each.shelf, entry), each)),
    )
  }
}

type Place = Pick<ShelfEntry, 'sort' | 'rank'>

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function isOn(entry: ShelfEntry | undefined, { sorts, bounds = [] }: OnShelf): boolean {
  if (entry === undefined || sorts?.includes(entry.sort) === false) return false
  return bounds.every(({ operator, key }) => IS[operator](entry.sort, key))
}

const IS: Readonly<Record<KeyBound['operator'], (sort: string, bound: string) => boolean>> = {
  '>=': (sort, bound) => sort >= bound,
  '>': (sort, bound) => sort > bound,
  '<=': (sort, bound) => sort <= bound,
  '<': (sort, bound) => sort < bound,
}
