import type { KeyBound } from './index-key.ts'

/** A text that is kept on a shelf under a key. */
export interface ShelfEntry {
  readonly shelf: string
  readonly key: string
  /** Orders the entries of a shelf, and rank those that are equal. Texts beyond ASCII come in an order of the store's own. */
  readonly sort: string
  /** A whole number. */
  readonly rank: number
  readonly value: string
}

export type ShelfPlace = Pick<ShelfEntry, 'shelf' | 'key'>

/** Does the removals first. An entry replaces the one that has its key on its shelf. */
export interface ShelfChange {
  /** From all shelves whose names begin with `shelf`: the entries of this key, or all entries. */
  readonly remove?: readonly { readonly shelf: string; readonly key?: string }[]
  /** Each shelf and key once. */
  readonly put?: readonly ShelfEntry[]
}

/** Entries on a shelf, of any sort, of one of some sorts, or of sorts between bounds. */
export interface OnShelf {
  readonly shelf: string
  readonly sorts?: readonly string[]
  readonly bounds?: readonly KeyBound[]
}

/** Entries that are on all of these shelves: each has the same key and the same rank there. */
export interface ShelfQuery {
  /** The entries are listed in the order of this shelf. */
  readonly by: OnShelf
  readonly on?: readonly OnShelf[]
}

export interface ShelfListing extends ShelfQuery {
  /** By sort and then by rank, or by rank alone. */
  readonly order: 'sort' | 'rank'
  readonly direction: 'asc' | 'desc'
  /** Lists what comes after this place in the order. */
  readonly after?: Pick<ShelfEntry, 'sort' | 'rank'> | undefined
  readonly limit?: number
}

/**
 * What a store keeps beside its log: the cursors of those who follow it, its index of threads, its snapshots.
 * All of it is computed from the log, so a store may lose it at any time. No text holds the character U+0000.
 * Every implementation passes {@link shelvesContract}.
 */
export interface Shelves {
  get(place: ShelfPlace): Promise<ShelfEntry | undefined>
  /** Lists the entries that one shelf holds under the keys of those found. */
  list(shelf: string, listing: ShelfListing): Promise<readonly ShelfEntry[]>
  /** Counts the entries that are on all of these shelves. */
  count(query: ShelfQuery): Promise<number>
  /** Changes all or nothing. */
  change(change: ShelfChange): Promise<void>
  /**
   * Reads an entry and changes what `decide` makes of it, all or nothing. Between the two no other update of the
   * same entry is made. Returns false when `decide` returns `undefined`, which changes nothing.
   */
  update(
    place: ShelfPlace,
    decide: (held: ShelfEntry | undefined) => ShelfChange | undefined,
  ): Promise<boolean>
  /** Leaves nothing of removed entries in its files, as far as it can; absent where it has no files. */
  scrub?(): Promise<void>
  close(): Promise<void>
}

/** The name of a shelf. No name that is made so begins with another one. */
export function shelfNamed(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

/** What the names of all shelves begin with that have this first part, or these first parts. */
export function shelvesNamed(...parts: readonly string[]): string {
  return JSON.stringify(parts).slice(0, -1)
}
