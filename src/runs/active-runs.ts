/** The runs that are being worked on in this process, so that each can be stopped by its id. */
export class ActiveRuns {
  readonly #runs = new Map<string, AbortController>()

  /** Registers a run below `within` and gives the signal that stops it. */
  enter(run: string, within: AbortSignal): AbortSignal {
    const controller = new AbortController()
    this.#runs.set(run, controller)
    return AbortSignal.any([controller.signal, within])
  }

  leave(run: string): void {
    this.#runs.delete(run)
  }

  /** Whether there was such a run to stop. */
  stop(run: string): boolean {
    const controller = this.#runs.get(run)
    controller?.abort()
    return controller !== undefined
  }
}
