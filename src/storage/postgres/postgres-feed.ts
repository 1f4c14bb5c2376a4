import { setTimeout } from 'node:timers/promises'
import { FEEDS_MAX, FEED_PAGE_RECORDS, LogError, Subscription } from '../../log/index.ts'
import type { Moved } from '../../log/index.ts'
import { textOf, wholeOf } from '../sqlite/rows.ts'
import { statements } from './connection.ts'
import type { Row } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { FEED_BEGINNING } from './feed-place.ts'
import type { FeedPlace } from './feed-place.ts'
import { reportingAs } from './postgres-error.ts'

/** Pauses before a page is read again that a transaction under way keeps back. */
const HELD_BACK_MS = [1, 2, 5, 10, 20, 50] as const

interface Entry extends Moved {
  /** Rises with each entry that a follower is given. */
  readonly place: number
}

/**
 * Which threads have moved, by transaction. Numbers that a sequence gives out become visible in another
 * order, and a reader would skip those that come late. So entries are ordered by the id of their
 * transaction, and yielded once no transaction with a smaller id is under way.
 */
export class PostgresFeed {
  readonly #pool: ConnectionPool
  readonly #followers = new Set<Follower>()

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  /** @throws {@link LogError} `busy` */
  follow(after: string | undefined): AsyncIterableIterator<readonly Moved[]> {
    if (this.#followers.size >= FEEDS_MAX) {
      throw new LogError('busy', `Cannot follow the log: ${FEEDS_MAX} feeds are open`)
    }
    const follower = new Follower(this.#pool, after, () => this.#followers.delete(follower))
    this.#followers.add(follower)
    return follower.subscription
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0
  }

  /** Called once something was appended, here or elsewhere. */
  wake(): void {
    // Later than whatever a follower is doing now: it has read the log, and not looked yet.
    if (this.isFollowed) setImmediate(() => this.#followers.forEach((each) => each.wake()))
  }

  close(): void {
    for (const { subscription } of this.#followers) subscription.end()
  }
}

class Follower {
  readonly subscription: Subscription<Entry>
  readonly #pool: ConnectionPool
  #position: FeedPlace | undefined
  #given: string | undefined
  #places = 0
  #mayHaveMore = true
  #hasLeft = false

  constructor(pool: ConnectionPool, given: string | undefined, leave: () => void) {
    this.#pool = pool
    this.#given = given
    this.subscription = new Subscription<Entry>({
      after: -1,
      load: () => reportingAs('read the feed', () => this.#load()),
      placeOf: ({ place }) => place,
      published: () => (this.#mayHaveMore ? Number.MAX_SAFE_INTEGER : -1),
      leave: () => {
        this.#hasLeft = true
        leave()
      },
      marksEnd: true,
    })
  }

  wake(): void {
    this.#mayHaveMore = true
    this.subscription.wake()
  }

  /** Loads the next rows; none once all have been loaded. */
  async #load(): Promise<readonly Entry[]> {
    this.#position ??= await this.#positionOf(this.#given)
    for (let tries = 0; !this.#hasLeft; tries++) {
      this.#mayHaveMore = false
      const { xid, thread } = this.#position
      const rows = await this.#pool.query(SQL.feed, [xid, thread])
      const free = rows.findIndex((row) => row['is_held_back'] === true)
      const entries = free === -1 ? rows : rows.slice(0, free)
      if (entries.length > 0) return this.#entriesOf(entries)
      if (rows.length === 0 && !this.#mayHaveMore) return []
      if (rows.length > 0) await setTimeout(HELD_BACK_MS[Math.min(tries, 5)])
    }
    return []
  }

  #entriesOf(rows: readonly Row[]): readonly Entry[] {
    this.#mayHaveMore = true
    const newest = new Map<string, Entry>()
    for (const row of rows) {
      const [xid, number] = [textOf(row['xid']), wholeOf(row['thread'])]
      const [thread, head, hash] = [textOf(row['name']), wholeOf(row['seq']), textOf(row['hash'])]
      this.#position = { xid, thread: number }
      const position = `${xid}-${number}-${hash.slice(0, 16)}`
      newest.delete(thread)
      newest.set(thread, { position, thread, head, place: this.#places++ })
    }
    return [...newest.values()]
  }

  /** A position of another history, or of one that was cut off, is before everything. */
  async #positionOf(given = ''): Promise<FeedPlace> {
    const [, xid = '', number = '', hash = ''] =
      /^(\d{1,18})-(\d{1,15})-(\w{16})$/.exec(given) ?? []
    if (xid === '') return FEED_BEGINNING
    const [row] = await this.#pool.query(SQL.feed_hash, [xid, number])
    const isHeld = row !== undefined && textOf(row['hash']).startsWith(hash)
    return isHeld ? { xid, thread: Number(number) } : FEED_BEGINNING
  }
}

const SQL = statements({
  feed: `SELECT m.xid, m.thread, m.seq, m.hash, t.name, m.xid >= s.xmin AS is_held_back
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xmin) AS s,
    (
      SELECT xid, thread, seq, hash FROM throughline.moves
      WHERE (xid, thread) > ($1::xid8, $2::bigint) ORDER BY xid, thread LIMIT ${FEED_PAGE_RECORDS}
    ) AS m JOIN throughline.threads t ON t.number = m.thread ORDER BY m.xid, m.thread`,
  feed_hash: 'SELECT hash FROM throughline.moves WHERE xid = $1::xid8 AND thread = $2::bigint',
})
