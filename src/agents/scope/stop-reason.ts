import { cancellerOf } from '../../activity/index.ts'
import type { OpenRun } from '../../activity/index.ts'
import { FailedStep, LimitReached } from '../../step/index.ts'

export interface StopReason {
  readonly code: string
  readonly message: string
  readonly by?: string | undefined
  /** When a limit ends, in milliseconds since the epoch. */
  readonly until?: number | undefined
}

/** The stop reason of a run whose process ends before the run does. */
export const INTERRUPTED = {
  code: 'interrupted',
  message: 'Cannot finish the run: the server was stopped in the middle of it',
} satisfies StopReason

/** Why a run is aborted: it was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  readonly by: string | undefined

  constructor(by: string | undefined) {
    super('The run was stopped')
    this.by = by
  }
}

/** @throws {@link Cancelled} when a cancel of an open run, or of one above it, is on record */
export function requireNotCancelled(run: string, openRuns: readonly OpenRun[]): void {
  const open = openRuns.find(({ runId }) => runId === run)
  const by = open && cancellerOf(open, openRuns)
  if (by !== undefined) throw new Cancelled(by)
}

/** Why a run is aborted: the process ends before the run does. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super(INTERRUPTED.message)
  }
}

/** Why a run stops, by its error and the abort reason of its signal. */
export function stopReasonOf(error: unknown, { aborted, reason }: AbortSignal): StopReason {
  if (error instanceof LimitReached) {
    const { code, message, until } = error
    return { code, message, until }
  }
  // A cancel that is on record counts, whatever the run was aborted for besides.
  const why: unknown = aborted && !(error instanceof Cancelled) ? reason : error
  if (why instanceof Interrupted) return INTERRUPTED
  if (aborted || why instanceof Cancelled) {
    const by = why instanceof Cancelled ? why.by : undefined
    return { code: 'cancelled', message: 'The run was stopped', by }
  }
  if (error instanceof FailedStep) {
    return { code: error.failure.code, message: error.failure.message }
  }
  return { code: 'internal', message: 'Cannot finish the run: an internal error' }
}

/** An open run and those below it, in the order in which they started. */
export function openRunsFrom(run: string, openRuns: readonly OpenRun[]): readonly OpenRun[] {
  const found = new Set<string>()
  return openRuns.filter(({ runId, origin }) => {
    const isBelow = origin.parentRun !== undefined && found.has(origin.parentRun)
    if (runId === run || isBelow) found.add(runId)
    return found.has(runId)
  })
}
