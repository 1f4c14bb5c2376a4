import { TurnError } from './turn-error.ts'

/** Turns that may wait for the one that runs in their thread. */
export const TURNS_WAITING_MAX = 8

/** Lets one turn at a time run in each thread; others wait in order, up to a bound. */
export class TurnQueue {
  readonly #threads = new Map<string, { waiting: number; last: Promise<unknown> }>()
  #draining = false

  /** @throws {@link TurnError} `busy` when the queue is full, `draining` when the process is ending */
  run<Result>(thread: string, turn: () => Promise<Result>): Promise<Result> {
    if (this.#draining) {
      throw new TurnError('draining', `Cannot start a turn in "${thread}": the server is stopping`)
    }
    const queue = this.#threads.get(thread) ?? { waiting: 0, last: Promise.resolve() }
    if (queue.waiting > TURNS_WAITING_MAX) {
      throw new TurnError('busy', `Cannot queue a turn in "${thread}": ${TURNS_WAITING_MAX} wait`)
    }
    this.#threads.set(thread, queue)
    queue.waiting++
    const done = queue.waiting === 1 ? turn() : queue.last.then(turn, turn)
    queue.last = done
    const leave = (): void => {
      if (--queue.waiting === 0) this.#threads.delete(thread)
    }
    done.then(leave, leave)
    return done
  }

  /** Whether a turn runs or waits in a thread. */
  has(thread: string): boolean {
    return this.#threads.has(thread)
  }

  /** Takes no more turns and resolves when those that were taken on have ended. */
  async drain(): Promise<void> {
    this.#draining = true
    await Promise.allSettled([...this.#threads.values()].map((queue) => queue.last))
  }
}
