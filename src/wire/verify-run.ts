import type { AGUIEvent } from '@ag-ui/core'
import { Chunks } from './chunks.ts'
import { enforceEvent } from './enforce.ts'
import { RunVerifier } from './run-verifier.ts'
import { WireError } from './wire-error.ts'

export interface VerifyOptions {
  /** The thread and run that were asked for: the stream must be of this thread, its last run this one. */
  readonly threadId?: string
  readonly runId?: string
  /** Learns what the protocol does not describe, and was removed. */
  readonly onRemoved?: (removed: RemovedMembers) => void
}

export interface RemovedMembers {
  /** The type of the event. With an unknown type, the whole event was dropped. */
  readonly type: string
  /** JSON pointers into the event. */
  readonly members: readonly string[]
}

/**
 * Checks one stream of AG-UI events as they come: enforcement, then chunk forms, then order. The cost of an
 * event does not grow with the events before it.
 */
export class StreamVerifier {
  readonly #options: VerifyOptions
  readonly #chunks = new Chunks()
  readonly #verifier = new RunVerifier()
  #lastRun: string | undefined

  constructor(options: VerifyOptions = {}) {
    this.#options = options
  }

  /**
   * Returns the events that one event of the stream expands to: none when its type is unknown, several for a
   * chunk.
   *
   * @throws {@link WireError}
   */
  take(given: unknown): readonly AGUIEvent[] {
    const events = this.#expand(given)
    for (const each of events) this.#takeOne(each)
    return events
  }

  /**
   * Takes an event that need not fit. Returns the events before the fault, such as the end of an item that
   * chunks had opened; the stream goes on.
   */
  takeFitting(given: unknown): readonly AGUIEvent[] {
    const fitting: AGUIEvent[] = []
    try {
      for (const each of this.#expand(given)) {
        this.#takeOne(each)
        fitting.push(each)
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error
    }
    return fitting
  }

  /** @throws {@link WireError} `truncated` when a run has not ended, `other_run` when the last is another */
  end(): void {
    if (!this.#verifier.hasEnded) {
      const run = this.#lastRun === undefined ? 'any run began' : `run "${this.#lastRun}" ended`
      throw new WireError('truncated', `Cannot take the stream as complete: it stops before ${run}`)
    }
    const { runId } = this.#options
    // A stream may open with RUN_ERROR, which names no run.
    if (runId === undefined || this.#lastRun === undefined || this.#lastRun === runId) return
    throw new WireError(
      'other_run',
      `Cannot find run "${runId}": the stream ends with "${this.#lastRun}"`,
    )
  }

  #expand(given: unknown): readonly AGUIEvent[] {
    const { event, removed } = enforceEvent(given)
    if (removed.length > 0) {
      // Enforcement has read its type.
      const { type } = given as { readonly type: string }
      this.#options.onRemoved?.({ type, members: removed })
    }
    return event ? this.#chunks.expand(event) : []
  }

  #takeOne(event: AGUIEvent): void {
    if (event.type === 'RUN_STARTED') {
      const { threadId } = this.#options
      if (threadId !== undefined && event.threadId !== threadId) {
        const state = `it is of thread "${event.threadId}", not "${threadId}"`
        throw new WireError('other_run', `Cannot take the stream: ${state}`)
      }
      this.#lastRun = event.runId
    }
    this.#verifier.take(event)
  }
}

/**
 * Checks a whole stream of AG-UI events, and yields the events that it expands to. The events before it
 * throws is right; the events of a run count once its end has come.
 *
 * @throws {@link WireError}
 */
export async function* verifyRun(
  events: Iterable<unknown> | AsyncIterable<unknown>,
  options: VerifyOptions = {},
): AsyncGenerator<AGUIEvent, void> {
  const verifier = new StreamVerifier(options)
  for await (const event of events) yield* verifier.take(event)
  verifier.end()
}
