import type { Lease, Leases } from './leases.ts'
import { LogError } from './log-error.ts'

/** Holdings of one thread at once, those that wait for its lease included. */
export const HOLDINGS_MAX = 10_000

/** A share in the lease of a thread. */
export interface Holding {
  readonly fence: number
  /** Aborts when the lease ends: it was lost, the log was closed, or all who shared it are done. */
  readonly signal: AbortSignal
  /** As of its lease. */
  onEnd: Lease['onEnd']
  /**
   * Gives the share up; a second call does nothing. Read the thread's head again afterwards: a process
   * that appended just before may have found the lease held, and left the work to this one.
   */
  done(): void
}

/**
 * Shares the lease of a thread between all work of one process: the first holding acquires it, and it
 * is released when the last is done. A process must have one of these: two wait for each other.
 */
export class Holdings {
  readonly #leases: Leases
  readonly #shares = new Map<string, Share>()

  constructor(leases: Leases) {
    this.#leases = leases
  }

  /**
   * Waits while another process holds the lease, until the signal aborts. The signal bounds that wait
   * alone: with one that has aborted already, a lease that is free or shared is still given.
   *
   * @throws {@link LogError} `busy` when the signal ended the wait, `closed`
   */
  async hold(thread: string, signal?: AbortSignal): Promise<Holding> {
    // Its lease is not free yet.
    for (let ended = this.#shares.get(thread)?.ended; ended;) {
      await ended
      ended = this.#shares.get(thread)?.ended
    }
    const share = this.#join(thread)
    try {
      if (!share.lease) await share.tried
      return this.#holding(share, share.lease ?? (await share.waitForLease(signal)))
    } catch (error) {
      this.#leave(share)
      throw error
    }
  }

  #join(thread: string): Share {
    let share = this.#shares.get(thread)
    if (!share || share.hasLostLease) {
      share = new Share(thread, this.#leases)
      this.#shares.set(thread, share)
    }
    if (share.users >= HOLDINGS_MAX) {
      throw new LogError(
        'busy',
        `Cannot hold "${thread}": ${HOLDINGS_MAX} hold or wait for it; try again later`,
      )
    }
    share.users++
    return share
  }

  #holding(share: Share, lease: Lease): Holding {
    let isDone = false
    return {
      fence: lease.fence,
      get signal() {
        return lease.signal
      },
      onEnd: (act) => lease.onEnd(act),
      done: () => {
        if (isDone) return
        isDone = true
        this.#leave(share)
      },
    }
  }

  #leave(share: Share): void {
    if (--share.users > 0) return
    const remove = () => {
      if (this.#shares.get(share.thread) === share) this.#shares.delete(share.thread)
    }
    // A lease that cannot be released expires.
    share.ended = share.end().then(remove, remove)
  }
}

const noWait = new AbortController()
noWait.abort()

/**
 * Holds a thread whose lease is free or held by this process.
 *
 * @throws {@link LogError} `busy` while another process holds it
 */
export function holdNow(holdings: Pick<Holdings, 'hold'>, thread: string): Promise<Holding> {
  return holdings.hold(thread, noWait.signal)
}

/** One lease, or the wait for it. */
class Share {
  readonly thread: string
  /** Resolves when the leases have answered for the first time. */
  readonly tried: Promise<void>
  readonly #leases: Leases
  #stop: AbortController | undefined
  #waited: Promise<Lease> | undefined
  lease: Lease | undefined
  users = 0
  /** Set when all users have left; resolves when the lease is free. */
  ended: Promise<void> | undefined

  constructor(thread: string, leases: Leases) {
    this.thread = thread
    this.#leases = leases
    this.tried = this.#acquire()
  }

  get hasLostLease(): boolean {
    return this.lease?.signal.aborted ?? false
  }

  /** All who wait share one wait, so that all of them get the lease. */
  waitForLease(signal: AbortSignal | undefined): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const state = 'another process holds its lease; try again later'
      const giveUp = () => reject(new LogError('busy', `Cannot hold "${this.thread}": ${state}`))
      if (signal?.aborted) return giveUp()
      this.#waited ??= this.#wait()
      signal?.addEventListener('abort', giveUp)
      const settled = this.#waited.finally(() => signal?.removeEventListener('abort', giveUp))
      settled.then(resolve, reject)
    })
  }

  async end(): Promise<void> {
    this.#stop?.abort()
    const lease = this.lease ?? (await this.#waited?.catch(() => undefined))
    await lease?.release()
  }

  async #acquire(): Promise<void> {
    this.lease = await this.#leases.acquire(this.thread)
  }

  async #wait(): Promise<Lease> {
    const { signal } = (this.#stop = new AbortController())
    while (!this.lease) {
      await this.#leases.freed(this.thread, signal)
      await this.#acquire()
    }
    return this.lease
  }
}
