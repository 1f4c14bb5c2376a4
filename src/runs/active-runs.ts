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
  readonly controller: AbortController
  begun: boolean
}

/** What is being worked on in this process, so that it can be stopped. */
export class ActiveRuns {
  readonly #runs = new Map<string, AbortController>()
  readonly #turns = new Set<TurnEntry>()

  takeOn(thread: string, run: string): ActiveTurn {
    const controller = new AbortController()
    const entry: TurnEntry = { thread, run, controller, begun: false }
    this.#turns.add(entry)
    return {
      thread,
      run,
      signal: controller.signal,
      begin: () => void (entry.begun = true),
      end: () => void this.#turns.delete(entry),
    }
  }

  /** Registers a run below `within` and gives the signal that stops it. */
  enter(run: string, within: AbortSignal): AbortSignal {
    const controller = new AbortController()
    this.#runs.set(run, controller)
    return AbortSignal.any([controller.signal, within])
  }

  leave(run: string): void {
    this.#runs.delete(run)
  }

  /** Stops the turn that is at work in a thread, or one by its run even before; whether there was one. */
  stopTurn(thread: string, run?: string): boolean {
    const turns = [...this.#turns].filter(
      (turn) => turn.thread === thread && (run === undefined ? turn.begun : turn.run === run),
    )
    for (const { controller } of turns) controller.abort()
    return turns.length > 0
  }

  /** Whether there was such a run to stop. */
  stop(run: string): boolean {
    const controller = this.#runs.get(run)
    controller?.abort()
    return controller !== undefined
  }

  isWorking(thread: string): boolean {
    return [...this.#turns].some((turn) => turn.thread === thread && turn.begun)
  }
}
