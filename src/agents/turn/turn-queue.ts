import { LogError, holdNow } from '../../log/index.ts'
import type { Holding, Holdings } from '../../log/index.ts'
import { LinkedSignal } from '../../models/index.ts'
import { TurnError } from './turn-error.ts'

/** Turns that may wait for the one that runs in their thread. */
export const TURNS_WAITING_MAX = 8

/** How long a turn waits for another process that works in its thread. */
export const LEASE_WAIT_MAX_MS = 10_000

/**
 * Lets one turn at a time run in each thread, under the thread's lease. Others wait in order, up to a
 * bound.
 */
export class TurnQueue {
  readonly #holdings: Holdings
  readonly #threads = new Map<string, { waiting: number; last: Promise<unknown> }>()
  #draining = false

  constructor(holdings: Holdings) {
    this.#holdings = holdings
  }

  /**
   * Rejects with {@link TurnError} `busy` when the queue is full or another process keeps the lease,
   *   `draining` when the process is ending
   */
  run<Result>(
    thread: string,
    turn: (holding: Holding) => Promise<Result>,
    leaseWaitMs = LEASE_WAIT_MAX_MS,
  ): Promise<Result> {
    if (this.#draining) {
      const message = `Cannot start a turn in "${thread}": the server is stopping`
      return Promise.reject(new TurnError('draining', message))
    }
    const queue = this.#threads.get(thread) ?? { waiting: 0, last: NOTHING }
    if (queue.waiting > TURNS_WAITING_MAX) {
      const message = `Cannot queue a turn in "${thread}": ${TURNS_WAITING_MAX} wait`
      return Promise.reject(new TurnError('busy', message))
    }
    this.#threads.set(thread, queue)
    queue.waiting++
    const held = (): Promise<Result> => this.#held(thread, turn, leaseWaitMs)
    const done = queue.waiting === 1 ? held() : queue.last.then(held, held)
    queue.last = done
    const leave = (): void => {
      if (--queue.waiting === 0) this.#threads.delete(thread)
    }
    done.then(leave, leave)
    return done
  }

  async #held<Result>(
    thread: string,
    turn: (holding: Holding) => Promise<Result>,
    leaseWaitMs: number,
  ): Promise<Result> {
    const holding = await this.#hold(thread, leaseWaitMs)
    try {
      return await turn(holding)
    } finally {
      holding.done()
    }
  }

  async #hold(thread: string, waitMs: number): Promise<Holding> {
    try {
      return await holdNow(this.#holdings, thread)
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    const limit = new LinkedSignal(undefined, waitMs)
    try {
      return await this.#holdings.hold(thread, limit.signal)
    } catch (error) {
      if (!isBusy(error)) throw error
      const why = 'another process works in it; try again later'
      throw new TurnError('busy', `Cannot start a turn in "${thread}": ${why}`, { cause: error })
    } finally {
      limit.release()
    }
  }

  /** Whether a turn runs or waits in a thread. */
  has(thread: string): boolean {
    return this.#threads.has(thread)
  }

  /** Takes no more turns and resolves when the accepted ones have ended. */
  async drain(): Promise<void> {
    this.#draining = true
    await Promise.allSettled([...this.#threads.values()].map((queue) => queue.last))
  }
}

const NOTHING = Promise.resolve()

function isBusy(error: unknown): boolean {
  return error instanceof LogError && error.code === 'busy'
}
