import type { Holding } from '../../log/index.ts'
import { LinkedSignal } from '../../models/index.ts'
import { Interrupted } from './stop-reason.ts'
import type { Cancelled } from './stop-reason.ts'

/** A turn that this process has accepted and that has not ended. */
export interface ActiveTurn {
  readonly thread: string
  readonly turn: string
  /** Stops the turn with all its runs. */
  readonly signal: AbortSignal
  /** Does the turn's work, once no other turn is before it; the work is aborted when its lease ends. */
  workUnder<Result>(lease: Pick<Holding, 'onEnd'>, work: () => Promise<Result>): Promise<Result>
  /** Its start is on record: from now on a record cancels it. */
  open(): void
  end(): void
}

interface TurnEntry {
  readonly thread: string
  readonly turn: string
  readonly surface: string | undefined
  readonly stop: AbortController
  status: 'queued' | 'begun' | 'open'
}

/** The turns and runs at work in this process, so that they can be cancelled. */
export class ActiveRuns {
  readonly #runs = new Map<string, LinkedSignal>()
  readonly #turns = new Set<TurnEntry>()

  /** Registers a turn, to be cancelled by its id or with all others. */
  register(thread: string, turn: string, surface?: string): ActiveTurn {
    const stop = new AbortController()
    const entry: TurnEntry = { thread, turn, surface, stop, status: 'queued' }
    this.#turns.add(entry)
    return {
      thread,
      turn,
      signal: stop.signal,
      async workUnder(lease, work) {
        entry.status = 'begun'
        const ignoreEnd = lease.onEnd(() => stop.abort(new Interrupted()))
        try {
          return await work()
        } finally {
          ignoreEnd()
        }
      },
      open: () => {
        entry.status = 'open'
      },
      end: () => {
        this.#turns.delete(entry)
      },
    }
  }

  enter(run: string, within: AbortSignal): AbortSignal {
    const linked = new LinkedSignal(within)
    this.#runs.set(run, linked)
    return linked.signal
  }

  leave(run: string): void {
    this.#runs.get(run)?.release()
    this.#runs.delete(run)
  }

  /** Aborts a run that works here, or the turn of this id; returns whether there was one. */
  stop(run: string, why: Cancelled): boolean {
    const linked = this.#runs.get(run)
    if (linked) linked.abort(why)
    const turns = [...this.#turns].filter(({ turn }) => turn === run)
    for (const { stop } of turns) stop.abort(why)
    return linked !== undefined || turns.length > 0
  }

  /** The turn with this id, or the next one in the thread, whose start is not on record yet. */
  unopened(
    thread: string,
    { run, surface }: { readonly run?: string; readonly surface?: string },
  ): string | undefined {
    const found = [...this.#turns].find(
      (entry) =>
        entry.thread === thread &&
        (run === undefined ? entry.status === 'begun' : entry.turn === run) &&
        entry.status !== 'open' &&
        (surface === undefined || entry.surface === undefined || entry.surface === surface),
    )
    return found?.turn
  }

  /** Turn by turn: a signal that all of them followed would be searched through for each. */
  stopAll(): void {
    for (const { stop } of this.#turns) stop.abort(new Interrupted())
  }
}
