import { HeldLease, OwnLeases } from '../../log/index.ts'
import type { Lease, Leases } from '../../log/index.ts'
import { inBackground } from '../../platform/index.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { statements } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { reportingAs } from './postgres-error.ts'

/** How long a lease lasts that is not renewed, by the database's clock. */
export const LEASE_MS = 10_000
const RENEW_MS = 3_000
/** How often overdue leases are ended, also while the database does not answer. */
const OVERDUE_LOOK_MS = 500
/** A holder stops this long after its last renewal began: before the database gives the lease away. */
const RENEWED_WITHIN_MS = 8_000

export interface PostgresLeasesParts {
  readonly pool: Pick<ConnectionPool, 'once' | 'query'>
  /** Names this process among all that use the database. */
  readonly holder: string
  /** Resolves once appends under the name's fence that are being stored have settled. */
  readonly committing: (name: string) => Promise<void> | undefined
  /** Notifies the other processes, one of which waits for the lease, that it was released. */
  readonly released: (name: string) => void
}

/** Leases that processes share: each is a row with a holder, a fence, and a time at which it ends. */
export class PostgresLeases extends OwnLeases implements Leases {
  readonly isShared = true
  readonly #parts: PostgresLeasesParts
  /** When the last renewal that succeeded began, in milliseconds. */
  readonly #since = new WeakMap<HeldLease, number>()
  #timers: readonly NodeJS.Timeout[] = []

  constructor(parts: PostgresLeasesParts) {
    super()
    this.#parts = parts
  }

  async acquire(name: string): Promise<Lease | undefined> {
    const action = `acquire the lease of "${name}"`
    if (!this.mayAcquire(name, action)) return undefined
    const since = performance.now()
    const { pool, holder } = this.#parts
    // Not asked twice: a second answer would say that the lease is held, by this process itself.
    const [row] = await reportingAs(action, () =>
      pool.once(SQL.acquire_lease, [name, holder, LEASE_MS]),
    )
    if (!row) return undefined
    const lease = new HeldLease(name, wholeOf(row['fence']), () => this.#free(lease))
    if (this.isClosed) await this.#giveBack(lease)
    this.assertOpen(action)
    this.held.set(name, lease)
    this.#since.set(lease, since)
    this.#startTimers()
    return lease
  }

  async freed(name: string, signal: AbortSignal): Promise<void> {
    const action = `wait for the lease of "${name}"`
    this.assertOpen(action)
    signal.throwIfAborted()
    // First in line, then the look: a release in between wakes this wait.
    const waiting = this.waits.wait(name, signal)
    waiting.catch(() => undefined)
    try {
      const rows = await reportingAs(action, () => this.#parts.pool.query(SQL.await_leases, [name]))
      if (rows.length === 0) this.waits.wake(name)
    } catch (error) {
      this.waits.wake(name)
      throw error
    }
    await waiting
  }

  /** Ends a lease whose fence the database has refused. */
  lost(name: string, fence: number | undefined): void {
    const lease = this.held.get(name)
    if (lease && lease.fence === fence) this.#lose(lease)
  }

  /** Wakes the waits for a lease that another process has released. */
  heardRelease(name: string): void {
    this.waits.wake(name)
  }

  /** Looks for leases that have expired or were released unheard, and wakes those who wait for them. */
  async look(): Promise<void> {
    const names = this.waits.names()
    if (names.length === 0) return
    const rows = await this.#parts.pool.query(SQL.held_leases, [names])
    const isHeld = new Set(rows.map((row) => textOf(row['name'])))
    for (const name of names) if (!isHeld.has(name)) this.waits.wake(name)
  }

  /** Ends all leases and frees them for other processes, and rejects all waits. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    // Those that cannot be freed expire.
    await Promise.allSettled(this.endAll().map((lease) => this.#giveBack(lease)))
  }

  async #free(lease: HeldLease): Promise<void> {
    const { name } = lease
    await this.#parts.committing(name)
    if (this.held.get(name) !== lease) return
    try {
      await reportingAs(`release the lease of "${name}"`, () => this.#giveBack(lease))
    } finally {
      if (this.held.get(name) === lease) this.held.delete(name)
      this.waits.wake(name)
    }
  }

  async #giveBack({ name, fence }: HeldLease): Promise<void> {
    const [row] = await this.#parts.pool.query(SQL.release_lease, [name, fence])
    if (row?.['is_awaited'] === true) this.#parts.released(name)
  }

  #startTimers(): void {
    if (this.#timers.length > 0) return
    this.#timers = [
      setInterval(() => inBackground(this.#renew()), RENEW_MS).unref(),
      setInterval(() => this.#endOverdue(), OVERDUE_LOOK_MS).unref(),
    ]
  }

  async #renew(): Promise<void> {
    const began = performance.now()
    const all = [...this.held.values()]
    if (all.length === 0) return
    try {
      const fences = all.map(({ fence }) => fence)
      const rows = await this.#parts.pool.query(SQL.renew_leases, [fences, LEASE_MS])
      const renewed = new Set(rows.map((row) => wholeOf(row['fence'])))
      for (const lease of all) {
        if (renewed.has(lease.fence)) this.#since.set(lease, began)
        else this.#lose(lease)
      }
    } catch {
      // The next round may come in time; until then `#endOverdue` decides.
    }
  }

  #endOverdue(): void {
    for (const lease of this.held.values()) {
      const since = this.#since.get(lease) ?? 0
      if (performance.now() - since > RENEWED_WITHIN_MS) this.#lose(lease)
    }
  }

  #lose(lease: HeldLease): void {
    if (this.held.get(lease.name) === lease) this.held.delete(lease.name)
    lease.end('it was not renewed in time, or another process has it')
    this.waits.wake(lease.name)
  }
}

const SQL = statements({
  /** Its number is drawn once the row is locked, so that it is greater than every earlier one. */
  acquire_lease: `INSERT INTO throughline.leases AS l (name, fence, holder, expires)
    VALUES ($1, nextval('throughline.fences'), $2, clock_timestamp() + $3 * interval '1 ms')
    ON CONFLICT (name) DO UPDATE SET
      fence = nextval('throughline.fences'), holder = excluded.holder, is_awaited = false,
      expires = clock_timestamp() + $3 * interval '1 ms'
    WHERE l.holder IS NULL OR l.expires < clock_timestamp()
    RETURNING fence`,
  release_lease: `UPDATE throughline.leases SET holder = NULL WHERE name = $1 AND fence = $2 RETURNING is_awaited`,
  /** Locks the leases in the order in which appends lock them. */
  renew_leases: `WITH own AS MATERIALIZED (
      SELECT name FROM throughline.leases
      WHERE fence = ANY ($1::bigint[]) AND holder IS NOT NULL AND expires > clock_timestamp()
      ORDER BY name FOR NO KEY UPDATE
    )
    UPDATE throughline.leases l SET expires = clock_timestamp() + $2 * interval '1 ms'
    FROM own WHERE l.name = own.name RETURNING l.fence`,
  /** Returns a lease that is held, and makes its holder tell when it releases it. */
  await_leases: `UPDATE throughline.leases SET is_awaited = true
    WHERE name = $1 AND holder IS NOT NULL AND expires > clock_timestamp() RETURNING name`,
  held_leases: `SELECT name FROM throughline.leases
    WHERE name = ANY ($1::text[]) AND holder IS NOT NULL AND expires > clock_timestamp()`,
})
