import { LogError } from './log-error.ts'
import { Subscription } from './subscription.ts'

/** Records that one batch of the feed covers. */
export const FEED_PAGE_RECORDS = 1_024
/** Open feeds of one log. */
export const FEEDS_MAX = 100

/** Says that a thread has grown. */
export interface Moved {
  /** The position from which a reader resumes after this item; opaque. */
  readonly position: string
  readonly thread: string
  /** The last seq that the thread had at this position. */
  readonly head: number
}

/** An entry of the feed as a log stores it: numbers rise over all threads. */
export interface FeedRow {
  readonly number: number
  readonly thread: string
  readonly seq: number
  readonly hash: string
}

export interface FeedSource {
  /** The newest entry of each thread among the next {@link FEED_PAGE_RECORDS}, by rising numbers. */
  readonly page: (after: number) => readonly FeedRow[]
  readonly hashAt: (number: number) => string | undefined
  /** The number of the newest entry, −1 when there is none. */
  readonly last: () => number
}

interface Entry extends Moved {
  readonly number: number
}

/** The feed of a log, for all its readers. It costs nothing while no reader asks for the next batch. */
export class LiveFeed {
  readonly #source: FeedSource
  readonly #open = new Set<Subscription<Entry>>()

  constructor(source: FeedSource) {
    this.#source = source
  }

  /** @throws {@link LogError} `busy` */
  follow(after: string | undefined): AsyncIterableIterator<readonly Moved[]> {
    if (this.#open.size >= FEEDS_MAX) {
      throw new LogError('busy', `Cannot follow the log: ${FEEDS_MAX} feeds are open`)
    }
    const { page, last } = this.#source
    const subscription = new Subscription<Entry>({
      after: this.#numberOf(after),
      load: (from) => page(from).map(entryOf),
      placeOf: ({ number }) => number,
      published: last,
      leave: () => {
        this.#open.delete(subscription)
      },
      marksEnd: true,
    })
    this.#open.add(subscription)
    return subscription
  }

  /** Hands out appended records. Called once they can be loaded. */
  wake(): void {
    for (const subscription of this.#open) subscription.wake()
  }

  close(): void {
    for (const subscription of this.#open) subscription.end()
  }

  /** A position of another history, or of one that was cut off, is before everything. */
  #numberOf(position = ''): number {
    const [, number = '', hash] = /^(\d{1,15})-(\w{16})$/.exec(position) ?? []
    const isHeld = hash !== undefined && this.#source.hashAt(Number(number))?.startsWith(hash)
    return isHeld ? Number(number) : -1
  }
}

function entryOf({ number, thread, seq: head, hash }: FeedRow): Entry {
  return { position: `${number}-${hash.slice(0, 16)}`, thread, head, number }
}
