import { LinkedSignal } from '../models/index.ts'

/** A turn that was taken on in this process and has not ended. */
export interface ActiveTurn {
  readonly thread: string
  readonly run: string
  /** Stops all of it, whichever of its runs is at work. */
  readonly signal: AbortSignal
  /** It waits for no other turn any more. */
  begin(): void
  end(): void
}

interface TurnEntry {
  readonly thread: string
  readonly run: string
  readonly stop: AbortController
  begun: boolean
}

/** What is being worked on in this process, so that it can be stopped. */
export class ActiveRuns {
  readonly #runs = new Map<string, LinkedSignal>()
  readonly #turns = new Set<TurnEntry>()

  /** Registers a turn, to be stopped by its id or with all others. */
  takeOn(thread: string, run: string): ActiveTurn {
    const stop = new AbortController()
    const entry: TurnEntry = { thread, run, stop, begun: false }
    this.#turns.add(entry)
    return {
      thread,
      run,
      signal: stop.signal,
      begin: () => void (entry.begun = true),
      end: () => void this.#turns.delete(entry),
    }
  }

  /** Registers a run below `within` and gives the signal that stops it. */
  enter(run: string, within: AbortSignal): AbortSignal {
    const linked = new LinkedSignal(within)
    this.#runs.set(run, linked)
    return linked.signal
  }

  leave(run: string): void {
    this.#runs.get(run)?.release()
    this.#runs.delete(run)
  }

  /** Stops the turn that is at work in a thread, or one by its run even before; whether there was one. */
  stopTurn(thread: string, run?: string): boolean {
    const turns = [...this.#turns].filter(
      (turn) => turn.thread === thread && (run === undefined ? turn.begun : turn.run === run),
    )
    for (const { stop } of turns) stop.abort()
    return turns.length > 0
  }

  /** Turn by turn: a signal that all of them followed would be searched through for each. */
  stopAll(): void {
    for (const { stop } of this.#turns) stop.abort()
  }

  /** Whether there was such a run to stop. */
  stop(run: string): boolean {
    const linked = this.#runs.get(run)
    linked?.abort()
    return linked !== undefined
  }

  isWorking(thread: string): boolean {
    return [...this.#turns].some((turn) => turn.thread === thread && turn.begun)
  }
}
