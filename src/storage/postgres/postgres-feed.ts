import { setTimeout } from 'node:timers/promises'
import {
  FEEDS_MAX,
  FEED_PAGE_RECORDS,
  LogError,
  Subscription,
  placeIn,
  positionOf,
} from '../../log/index.ts'
import type { FeedPlace, Moved } from '../../log/index.ts'
import { startIdleTimer } from '../../platform/index.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { statements } from './connection.ts'
import type { Row } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { openTransactions } from './held-back.ts'
import type { Blocker } from './held-back.ts'
import { reportingAs } from './postgres-error.ts'

/** Pauses before a page is read again that a transaction under way keeps back. */
const HELD_BACK_MS = [1, 2, 5, 10, 20, 50] as const
/** Tries after which it is looked up which transactions cannot append. */
const LOOK_UP_TRIES = 3
/** How long a page is waited for; then followers get what is safe, and the operator a warning. */
export const HELD_BACK_MAX_MS = 5_000
/** When a page is looked at again that was given up. */
const LOOK_AGAIN_MS = 1_000

const FEED_BEGINNING: FeedPlace = { xid: '0', thread: -1 }

interface Entry extends Moved {
  /** Rises with each entry that a follower is given. */
  readonly place: number
}

/**
 * Which threads have moved, by transaction. Numbers that a sequence gives out become visible in another
 * order, and a reader would skip those that come late. So entries are ordered by the id of their
 * transaction, and yielded once no transaction with a smaller id is under way that may append. Those of
 * other databases, which share the order of ids, and of other programs are left out of account.
 */
export class PostgresFeed {
  readonly #pool: ConnectionPool
  readonly #onWarning: (warning: string) => void
  readonly #followers = new Set<Follower>()
  /** The transaction that was waited for in vain: until it ends, nobody else waits for it. */
  #blocker: string | undefined

  constructor(pool: ConnectionPool, onWarning: (warning: string) => void) {
    this.#pool = pool
    this.#onWarning = onWarning
  }

  /** @throws {@link LogError} `busy` */
  follow(after: string | undefined): AsyncIterableIterator<readonly Moved[]> {
    if (this.#followers.size >= FEEDS_MAX) {
      throw new LogError('busy', `Cannot follow the log: ${FEEDS_MAX} feeds are open`)
    }
    const follower = new Follower({
      pool: this.#pool,
      given: after,
      leave: () => {
        this.#followers.delete(follower)
      },
      patienceMs: () => (this.#blocker === undefined ? HELD_BACK_MAX_MS : 0),
      freed: () => {
        this.#blocker = undefined
      },
      gaveUp: (blocker) => this.#warn(blocker),
    })
    this.#followers.add(follower)
    return follower.subscription
  }

  #warn({ id, shown }: Blocker): void {
    if (this.#blocker === id) return
    this.#blocker = id
    this.#onWarning(
      `The feed of the log has waited ${HELD_BACK_MAX_MS / 1_000} s for ${shown}. Lists and followers do ` +
        'not see what was appended since it began: end it, for example with pg_terminate_backend',
    )
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

interface FollowerParts {
  readonly pool: ConnectionPool
  /** The position that it begins after. */
  readonly given: string | undefined
  readonly leave: () => void
  /** How long a page may be waited for that others hold back. */
  readonly patienceMs: () => number
  /** Called when a page was not held back. */
  readonly freed: () => void
  readonly gaveUp: (blocker: Blocker) => void
}

class Follower {
  readonly subscription: Subscription<Entry>
  readonly #parts: FollowerParts
  #position: FeedPlace | undefined
  /** Transactions that cannot append, as the last look has found. */
  #foreign: readonly string[] = []
  #places = 0
  #mayHaveMore = true
  #hasLeft = false
  #cancelLook = (): void => undefined

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.subscription = new Subscription<Entry>({
      after: -1,
      load: () => reportingAs('read the feed', () => this.#load()),
      placeOf: ({ place }) => place,
      published: () => (this.#mayHaveMore ? Number.MAX_SAFE_INTEGER : -1),
      leave: () => {
        this.#hasLeft = true
        this.#cancelLook()
        parts.leave()
      },
      marksEnd: true,
    })
  }

  wake(): void {
    this.#mayHaveMore = true
    this.subscription.wake()
  }

  /** Loads the next rows; none once all have been loaded, or when the rest is held back for too long. */
  async #load(): Promise<readonly Entry[]> {
    const { pool, given, patienceMs, freed, gaveUp } = this.#parts
    this.#position ??= await this.#positionOf(given)
    const since = performance.now()
    for (let tries = 0; !this.#hasLeft; tries++) {
      this.#mayHaveMore = false
      const { xid, thread } = this.#position
      const rows = await pool.query(SQL.feed, [xid, thread, this.#foreign])
      const free = rows.findIndex((row) => row['is_held_back'] === true)
      const entries = free === -1 ? rows : rows.slice(0, free)
      if (free === -1) freed()
      if (entries.length > 0) return this.#entriesOf(entries)
      if (rows.length === 0 && !this.#mayHaveMore) return []
      if (rows.length === 0) continue
      const blocker = tries < LOOK_UP_TRIES ? undefined : await this.#lookUp()
      if (blocker && performance.now() - since > patienceMs()) {
        gaveUp(blocker)
        // Whatever was appended meanwhile is held back too, until the next look.
        this.#mayHaveMore = false
        this.#cancelLook()
        this.#cancelLook = startIdleTimer(() => this.wake(), LOOK_AGAIN_MS)
        return []
      }
      await setTimeout(HELD_BACK_MS[Math.min(tries, 5)])
    }
    return []
  }

  /** Finds the transactions that cannot append; returns the oldest other one. */
  async #lookUp(): Promise<Blocker | undefined> {
    const { foreign, blocker } = await openTransactions(this.#parts.pool)
    this.#foreign = foreign
    return blocker
  }

  #entriesOf(rows: readonly Row[]): readonly Entry[] {
    this.#mayHaveMore = true
    const newest = new Map<string, Entry>()
    for (const row of rows) {
      this.#position = { xid: textOf(row['xid']), thread: wholeOf(row['thread']) }
      const position = positionOf(this.#position, textOf(row['hash']))
      const [thread, head] = [textOf(row['name']), wholeOf(row['seq'])]
      newest.delete(thread)
      newest.set(thread, { position, thread, head, place: this.#places++ })
    }
    return [...newest.values()]
  }

  /** A position of another history, or of one that was cut off, is before everything. */
  async #positionOf(given = ''): Promise<FeedPlace> {
    const { prefix, place } = placeIn(given)
    if (prefix !== '' || !place) return FEED_BEGINNING
    const [row] = await this.#parts.pool.query(SQL.feed_hash, [place.xid, place.thread])
    return row && textOf(row['hash']).startsWith(place.hash) ? place : FEED_BEGINNING
  }
}

const SQL = statements({
  feed: `SELECT m.xid, m.thread, m.seq, m.hash, t.name, m.xid >= s.xmin AS is_held_back
    FROM (SELECT coalesce(
      (
        SELECT x FROM pg_snapshot_xip(pg_current_snapshot()) AS x
        WHERE x <> ALL ($3::xid8[]) ORDER BY x LIMIT 1
      ),
      pg_snapshot_xmax(pg_current_snapshot())
    ) AS xmin) AS s,
    (
      SELECT xid, thread, seq, hash FROM throughline.moves
      WHERE (xid, thread) > ($1::xid8, $2::bigint) ORDER BY xid, thread LIMIT ${FEED_PAGE_RECORDS}
    ) AS m JOIN throughline.threads t ON t.number = m.thread ORDER BY m.xid, m.thread`,
  feed_hash: 'SELECT hash FROM throughline.moves WHERE xid = $1::xid8 AND thread = $2::bigint',
})
