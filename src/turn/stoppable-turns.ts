import { LinkedSignal } from '../models/index.ts'

/** Who stops which turn. */
export interface StopRequest {
  readonly run: string
  /** Named by who may stop the turns of one surface only. */
  readonly surface?: string
  /** Goes on record as who stopped it. */
  readonly by: string
}

/** A turn as long as its model may still be stopped. */
export interface StoppableTurn {
  readonly signal: AbortSignal
  /** Who stopped it, if somebody did. */
  readonly stoppedBy: () => string | undefined
  /** From here on it goes to its end. */
  readonly leave: () => void
}

interface Entry {
  readonly thread: string
  readonly surface: string
  readonly link: LinkedSignal
  stoppedBy: string | undefined
}

/** The turns of this process whose model is still to end, by their runs. */
export class StoppableTurns {
  readonly #turns = new Map<string, Entry>()

  enter(
    run: string,
    turn: { readonly thread: string; readonly surface: string; readonly within: AbortSignal },
  ): StoppableTurn {
    const { thread, surface, within } = turn
    const link = new LinkedSignal(within)
    const entry: Entry = { thread, surface, link, stoppedBy: undefined }
    this.#turns.set(run, entry)
    return {
      signal: link.signal,
      stoppedBy: () => entry.stoppedBy,
      leave: () => {
        link.release()
        this.#turns.delete(run)
      },
    }
  }

  /** Whether there was such a turn; one that is being stopped already counts, and keeps who was first. */
  stop(thread: string, { run, surface, by }: StopRequest): boolean {
    const entry = this.#turns.get(run)
    if (entry?.thread !== thread) return false
    if (surface !== undefined && surface !== entry.surface) return false
    entry.stoppedBy ??= by
    entry.link.abort()
    return true
  }
}
