import { customEvent, waitingIn } from '../activity/index.ts'
import type { OpenRun, Waiting } from '../activity/index.ts'
import { stableId } from '../gate/index.ts'
import type { Gate } from '../gate/index.ts'
import type { Snapshot } from '../thread/index.ts'
import type { ActiveRuns } from './active-runs.ts'
import { Cancelled } from './stop-reason.ts'
import { withoutOpenRuns } from './interrupted.ts'
import { cancelledOpening } from './run-records.ts'
import { TurnError } from './turn-error.ts'
import type { TurnQueue } from './turn-queue.ts'

export interface CancelRequest {
  /** A run or a turn; the turn at work in the thread, when absent. */
  readonly run?: string
  /** Cancels only what runs on this surface. */
  readonly surface?: string
  /** Goes on record as who cancelled it. */
  readonly by?: string
}

export interface CancelsParts<State> {
  readonly gate: Gate<State>
  readonly active: ActiveRuns
  readonly queue: TurnQueue
  readonly id: () => string
}

/** How often a cancel looks again for the run that it is meant for. */
export const CANCEL_TRIES_MAX = 8
const NO_WAIT_MS = 0

/** Cancels runs by a record, so that the log decides between a cancel and the run's own end. */
export class Cancels<State> {
  readonly #parts: CancelsParts<State>

  constructor(parts: CancelsParts<State>) {
    this.#parts = parts
  }

  /** Resolves with whether there was a run to cancel. */
  async cancel(thread: string, request: CancelRequest): Promise<boolean> {
    const { gate, active } = this.#parts
    let snapshot = await gate.snapshot(thread)
    // A run that is handed over ends while another of its turn begins: that one is cancelled then.
    for (let tries = 0; tries < CANCEL_TRIES_MAX; tries++) {
      const open = openRunOf(snapshot, request)
      // Its end is decided; it only waits for its effects, which go on without it.
      if (open?.settled) active.stop(open.runId, new Cancelled(request.by))
      if (!open || open.settled) break
      if (await this.#cancelOpen(thread, open, request)) return true
      snapshot = await gate.snapshot(thread)
    }
    const waiting = snapshot.pauses.waiting.findLast((each) => isMeant(each, request))
    if (waiting) return this.#endWaiting(thread, waiting)
    // Accepted here and not on record yet: it begins, and ends at once.
    const turn = active.unopened(thread, request)
    return turn !== undefined && active.stop(turn, new Cancelled(request.by))
  }

  /** Aborts the runs at work here that a record cancels: another process may have appended it. */
  obey(openRuns: readonly OpenRun[]): void {
    for (const { runId, cancelledBy } of openRuns) {
      if (cancelledBy !== undefined) this.#parts.active.stop(runId, new Cancelled(cancelledBy))
    }
  }

  /** Ends the runs that a crash left open, the deepest first. A turn that is at work has done so. */
  async recover(thread: string): Promise<void> {
    const { gate, queue } = this.#parts
    if (queue.has(thread)) return
    await queue.run(thread, (holding) => withoutOpenRuns(gate, thread, holding))
  }

  async #cancelOpen(
    thread: string,
    { runId, origin }: OpenRun,
    { by = 'application' }: CancelRequest,
  ): Promise<boolean> {
    const { gate, queue, active } = this.#parts
    const system = { ...origin, source: 'system' } as const
    const event = customEvent('cancel_requested', { run: runId, by }, system)
    try {
      await gate.commit(thread, [], {
        before: [{ ...event, id: stableId(thread, runId, 'cancel') }],
        check: ({ openRuns }) => {
          const open = openRuns.find((each) => each.runId === runId)
          if (!open || open.settled) throw new NotRunning()
        },
      })
    } catch (error) {
      if (error instanceof NotRunning) return false
      throw error
    }
    const isActive = active.stop(runId, new Cancelled(by))
    if (!isActive && !queue.has(thread)) await this.#endIfFree(thread)
    return true
  }

  /**
   * Ends cancelled runs that a crash left open. A process that works on them obeys the record; while this
   * one stops, whichever takes the thread up next does.
   */
  async #endIfFree(thread: string): Promise<void> {
    const { gate, queue } = this.#parts
    try {
      await queue.run(thread, (holding) => withoutOpenRuns(gate, thread, holding), NO_WAIT_MS)
    } catch (error) {
      if (!(error instanceof TurnError)) throw error
    }
  }

  /** Ends a turn that waits: its questions are answered with nothing, and its tools never run. */
  async #endWaiting(
    thread: string,
    { run: stopped, agent, surface, waits }: Waiting,
  ): Promise<boolean> {
    const { gate, queue, id } = this.#parts
    return queue.run(thread, async (holding) => {
      const { pauses } = await withoutOpenRuns(gate, thread, holding)
      if (!waitingIn(pauses, stopped)) return false
      const run = id()
      const on = surface === undefined ? {} : { surface }
      const place = { agent, path: [agent], depth: 0, run, turn: run, ...on }
      const origin = { source: 'system', ...place } as const
      await gate.append(thread, cancelledOpening(thread, origin, waits), holding)
      return true
    })
  }
}

class NotRunning extends Error {
  override readonly name = 'NotRunning'
}

function openRunOf<State>(
  { openRuns }: Snapshot<State>,
  { run, surface }: CancelRequest,
): OpenRun | undefined {
  return openRuns.find(
    ({ runId, origin }) =>
      (surface === undefined || surface === origin.surface) &&
      (run === undefined || runId === run || (origin.depth === 0 && origin.turn === run)),
  )
}

function isMeant({ run, turn, surface }: Waiting, request: CancelRequest): boolean {
  if (request.surface !== undefined && request.surface !== surface) return false
  return request.run === undefined || [run, turn].includes(request.run)
}
