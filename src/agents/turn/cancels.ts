import { approvalsOf, customEvent } from '../../activity/index.ts'
import type { OpenRun } from '../../activity/index.ts'
import { stableId } from '../../gate/index.ts'
import type { Gate } from '../../gate/index.ts'
import { LogError, mayPass } from '../../log/index.ts'
import type { Leases } from '../../log/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { ActiveRuns } from '../scope/active-runs.ts'
import { Cancelled } from '../scope/stop-reason.ts'
import { hasRunsToEnd } from './interrupted.ts'
import type { Recover } from './interrupted.ts'
import { TurnError } from './turn-error.ts'
import type { TurnQueue } from './turn-queue.ts'

export interface CancelRequest {
  /** A run or a turn; the turn at work in the thread, when absent. */
  readonly run?: string
  /** Cancels only what runs on this surface, or on none. */
  readonly surface?: string
  /** Goes on record as what cancelled it: a role, or `application`. */
  readonly by?: string
  /** The person or system that cancelled it, as an opaque id. */
  readonly actor?: string
}

export interface CancelsParts<State> {
  readonly gate: Gate<State>
  readonly active: ActiveRuns
  readonly queue: TurnQueue
  readonly leases: Pick<Leases, 'freed' | 'isShared'>
  readonly recover: Recover<State>
  readonly onFault: (error: unknown, thread: string) => void
}

/** How often a cancel looks again for the run that it is meant for. */
export const CANCEL_TRIES_MAX = 8
const NO_WAIT_MS = 0

/** Cancels runs by a record, so that the log decides between a cancel and the run's own end. */
export class Cancels<State> {
  readonly #parts: CancelsParts<State>
  /** Threads in which another process works: this one ends their runs if that process dies. */
  readonly #watched = new Set<string>()
  readonly #stopping = new AbortController()

  constructor(parts: CancelsParts<State>) {
    this.#parts = parts
  }

  /** Does in a thread that moved what the appends of other processes ask for. */
  async catchUp(thread: string): Promise<void> {
    const snapshot = await this.#parts.gate.snapshot(thread)
    await this.#obey(thread, snapshot)
    const { queue, leases } = this.#parts
    const isElsewhere = leases.isShared && !queue.has(thread)
    if (snapshot.openRuns.length > 0 && isElsewhere) this.#watch(thread)
  }

  /**
   * Ends questions that were cancelled while a turn was at work. A turn that failed with the store may have
   * left runs open: they are ended once the store works again. A turn that gave up on the lease kept this
   * process from watching the one that holds it.
   */
  async afterTurn(thread: string, error?: unknown): Promise<void> {
    const { gate, onFault } = this.#parts
    try {
      if (mayPass(error)) await gate.untilRecorded(thread, () => this.#endLeftRuns(thread))
      else if (gaveUp(error)) await this.catchUp(thread)
      else {
        const latest = gate.latest(thread)
        const snapshot = latest instanceof Promise ? await latest : latest
        if (holdsCancel(snapshot)) await this.#obey(thread, snapshot)
      }
    } catch (error) {
      onFault(error, thread)
    }
  }

  stopWatching(): void {
    this.#stopping.abort()
  }

  async cancel(thread: string, request: CancelRequest): Promise<boolean> {
    const { gate, active } = this.#parts
    // A run that is handed over ends while another of its turn begins: that one is cancelled then.
    for (let tries = 0; tries < CANCEL_TRIES_MAX; tries++) {
      const snapshot = await gate.snapshot(thread)
      const open = openRunOf(snapshot, request)
      // Its end is decided; it only waits for its effects, which go on without it.
      if (open?.settled) active.stop(open.runId, new Cancelled(request.by))
      const target = open && !open.settled ? open : waitingOf(snapshot, request)
      if (!target) break
      if (await this.#cancel(thread, target, request)) return true
    }
    // Accepted here and not on record yet: it begins, and ends at once.
    const turn = active.unopened(thread, request)
    return turn !== undefined && active.stop(turn, new Cancelled(request.by))
  }

  /**
   * Aborts the runs at work here that a record cancels, and ends cancelled runs and questions that no
   * process works on. Another process may have appended the cancel, or have died since.
   */
  async #obey(thread: string, snapshot: Snapshot<State>): Promise<void> {
    const { active } = this.#parts
    for (const { runId, cancelledBy } of snapshot.openRuns) {
      if (cancelledBy !== undefined) active.stop(runId, new Cancelled(cancelledBy))
    }
    if (holdsCancel(snapshot)) await this.#endIfFree(thread)
  }

  async #endLeftRuns(thread: string): Promise<void> {
    if (hasRunsToEnd(await this.#parts.gate.snapshot(thread))) await this.recover(thread)
  }

  async recover(thread: string): Promise<void> {
    if (!(await this.#endIfFree(thread))) this.#watch(thread)
  }

  /** Watches a thread until its lease is free; a second call meanwhile does nothing. */
  #watch(thread: string): void {
    if (this.#watched.has(thread) || this.#stopping.signal.aborted) return
    this.#watched.add(thread)
    inBackground(this.#recoverOnceFree(thread))
  }

  async #recoverOnceFree(thread: string): Promise<void> {
    const { gate, leases, onFault } = this.#parts
    try {
      await gate.untilRecorded(thread, () => leases.freed(thread, this.#stopping.signal))
      // Recovery may find the lease held again, and then watches anew.
      this.#watched.delete(thread)
      await gate.untilRecorded(thread, () => this.#endLeftRuns(thread))
    } catch (error) {
      this.#watched.delete(thread)
      const isClosed = error instanceof LogError && error.code === 'closed'
      if (!this.#stopping.signal.aborted && !isClosed) onFault(error, thread)
    }
  }

  async #cancel(
    thread: string,
    { runId, origin }: Pick<OpenRun, 'runId' | 'origin'>,
    { by = 'application', actor }: CancelRequest,
  ): Promise<boolean> {
    const { gate, active } = this.#parts
    const system = { ...origin, source: 'system', ...(actor && { actor }) } as const
    const event = customEvent('cancel_requested', { run: runId, by }, system)
    try {
      await gate.commit(thread, [], {
        before: [{ ...event, id: stableId(thread, runId, 'cancel') }],
        check: ({ openRuns, pauses }) => {
          // A run that has stopped to ask since is looked for again: the record must not name it then.
          const isThere =
            origin.run === undefined
              ? pauses.waiting.some(({ run }) => run === runId) ||
                approvalsOf(pauses, runId).length > 0
              : openRuns.some((each) => each.runId === runId && !each.settled)
          if (!isThere) throw new NotRunning()
        },
      })
    } catch (error) {
      if (error instanceof NotRunning) return false
      throw error
    }
    if (!active.stop(runId, new Cancelled(by))) await this.#endSoon(thread)
    return true
  }

  /** Its cancel is on record: where the store fails now, the run is ended later. */
  async #endSoon(thread: string): Promise<void> {
    const { gate, onFault } = this.#parts
    try {
      await this.#endIfFree(thread)
    } catch (error) {
      if (!mayPass(error)) throw error
      const ending = gate.untilRecorded(thread, () => this.#endLeftRuns(thread))
      inBackground(ending, (failed) => onFault(failed, thread))
    }
  }

  /**
   * Ends cancelled runs and questions, unless a turn is at work: the engine calls {@link afterTurn} when
   * that has ended. A process that holds the lease does the same; then this resolves with false. When this
   * process stops, the next one recovers.
   */
  async #endIfFree(thread: string): Promise<boolean> {
    const { queue, recover } = this.#parts
    if (queue.has(thread)) return true
    try {
      await queue.run(thread, (holding) => recover(thread, holding), NO_WAIT_MS)
      return true
    } catch (error) {
      if (!(error instanceof TurnError)) throw error
      return error.code !== 'busy'
    }
  }
}

function holdsCancel<State>({ openRuns, pauses }: Snapshot<State>): boolean {
  const isCancelled = (each: { readonly cancelledBy?: string }) => each.cancelledBy !== undefined
  return [...openRuns, ...pauses.waiting, ...pauses.approvals].some(isCancelled)
}

function gaveUp(error: unknown): boolean {
  return error instanceof TurnError && error.code === 'busy'
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
      isOn(surface, surfaceOfTurn(openRuns, origin.turn) ?? origin.surface) &&
      (run === undefined || runId === run || (origin.depth === 0 && origin.turn === run)),
  )
}

/** A sub-agent's run is on the surface of its turn. */
function surfaceOfTurn(openRuns: readonly OpenRun[], turn: string | undefined): string | undefined {
  return openRuns.find(({ origin }) => origin.turn === turn && origin.depth === 0)?.origin.surface
}

/** Whether a caller of one surface may cancel the runs of another. */
function isOn(only: string | undefined, surface: string | undefined): boolean {
  return only === undefined || surface === undefined || surface === only
}

/**
 * The waiting turn, or the run whose approvals wait, that a request cancels. It has ended, so the record of
 * its cancel names no run.
 */
function waitingOf<State>(
  { pauses }: Snapshot<State>,
  request: CancelRequest,
): Pick<OpenRun, 'runId' | 'origin'> | undefined {
  const waiting = pauses.waiting.findLast(
    ({ run, turn, surface }) =>
      isOn(request.surface, surface) &&
      (request.run === undefined || run === request.run || turn === request.run),
  )
  const [approval] = approvalsOf(pauses, request.run ?? '').filter(({ surface }) =>
    isOn(request.surface, surface),
  )
  const cancelled = waiting ?? (approval && { ...approval, run: approval.wait.run })
  if (!cancelled) return undefined
  const { run: runId, agent, surface } = cancelled
  const on = surface === undefined ? {} : { surface }
  return { runId, origin: { source: 'system', depth: 0, agent, ...on } }
}
