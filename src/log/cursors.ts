import { comparePlaces, placeIn } from './feed-place.ts'
import type { LogError } from './log-error.ts'
import { shelfNamed } from './shelves.ts'
import type { Shelves } from './shelves.ts'

/** A thread in which a consumer of the feed has something open. */
export interface OpenRow {
  readonly thread: string
  /** When it is next due, in milliseconds since the epoch; 0 is at once. */
  readonly dueAt: number
}

/** A consumer's note on a thread that grew; without `dueAt` the thread has no open work. */
export interface ConsumerRow {
  readonly thread: string
  readonly dueAt: number | undefined
}

/**
 * The positions and notes of a feed's consumers, stored beside a log. It is a cache: entries may be missing
 * and failures are not reported. A consumer without a cursor reads the feed from its beginning.
 */
export interface Cursors {
  load(consumer: string): Promise<string | undefined>
  /** The rows that are open, those that are due first in front. */
  open(consumer: string): Promise<readonly OpenRow[]>
  /** Saves the position and the rows together or not at all. */
  save(consumer: string, position: string, rows: readonly ConsumerRow[]): Promise<void>
}

/** Threads that wait for the store to save them; with more, this process saves nothing any more. */
export const UNSAVED_THREADS_MAX = 100_000

export const CURSORS = shelfNamed('cursors')

/** The shelf of the threads in which a consumer has something open, ranked by when they are due. */
export function openShelf(consumer: string): string {
  return shelfNamed('open', consumer)
}

/** The rows of one consumer that this process has not saved yet. */
interface Unsaved {
  /** The prefix of what the store held when this process last looked. */
  seenPrefix: string
  readonly rows: Map<string, number | undefined>
  isGivenUp: boolean
}

/**
 * Cursors on shelves, which processes may share. A position that several processes compare never goes back: a
 * process that is behind another one saves nothing, since the other one has looked at the same threads. A process
 * whose prefix another one has replaced saves nothing either.
 */
export class ShelvedCursors implements Cursors {
  readonly #shelves: Shelves
  readonly #onFault: (error: LogError) => void
  readonly #consumers = new Map<string, Unsaved>()

  constructor(shelves: Shelves, onFault: (error: LogError) => void = () => undefined) {
    this.#shelves = shelves
    this.#onFault = onFault
  }

  async load(consumer: string): Promise<string | undefined> {
    const held = await this.#shelves.get({ shelf: CURSORS, key: consumer })
    this.#of(consumer).seenPrefix = placeIn(held?.value ?? '').prefix
    return held?.value
  }

  async open(consumer: string): Promise<readonly OpenRow[]> {
    const shelf = openShelf(consumer)
    const listing = { by: { shelf }, order: 'rank', direction: 'asc' } as const
    const entries = await this.#shelves.list(shelf, listing)
    return entries.map(({ key: thread, rank: dueAt }) => ({ thread, dueAt }))
  }

  /** Rows that the store does not take now go with the next save. */
  async save(consumer: string, position: string, rows: readonly ConsumerRow[]): Promise<void> {
    const unsaved = this.#of(consumer)
    for (const { thread, dueAt } of rows) unsaved.rows.set(thread, dueAt)
    if (unsaved.rows.size > UNSAVED_THREADS_MAX) unsaved.isGivenUp = true
    if (unsaved.isGivenUp) {
      unsaved.rows.clear()
      return
    }
    const saving = new Map(unsaved.rows)
    try {
      await this.#shelves.update({ shelf: CURSORS, key: consumer }, (held) =>
        maySave(position, held?.value, unsaved) ? changeOf(consumer, position, saving) : undefined,
      )
    } catch (error) {
      // Shelves fail with nothing else.
      return this.#onFault(error as LogError)
    }
    unsaved.seenPrefix = placeIn(position).prefix
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

function maySave(position: string, held: string | undefined, { seenPrefix }: Unsaved): boolean {
  const before = placeIn(held ?? '')
  if (!before.place) return true
  const { prefix, place } = placeIn(position)
  if (prefix !== before.prefix) return before.prefix === seenPrefix
  return place !== undefined && comparePlaces(before.place, place) <= 0
}

function changeOf(
  consumer: string,
  position: string,
  rows: ReadonlyMap<string, number | undefined>,
) {
  const shelf = openShelf(consumer)
  const cursor = { shelf: CURSORS, key: consumer, sort: '', rank: 0, value: position }
  const open = [...rows].flatMap(([key, dueAt]) =>
    dueAt === undefined ? [] : [{ shelf, key, sort: '', rank: Math.trunc(dueAt), value: '' }],
  )
  const closed = [...rows.keys()].filter((key) => rows.get(key) === undefined)
  return { remove: closed.map((key) => ({ shelf, key })), put: [cursor, ...open] }
}
