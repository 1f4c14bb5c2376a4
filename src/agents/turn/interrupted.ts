import { endOpenRuns } from '../../activity/index.ts'
import type { OpenApproval, OpenRun, WaitingTurn } from '../../activity/index.ts'
import { stableId } from '../../gate/index.ts'
import type { Gate } from '../../gate/index.ts'
import { LogError } from '../../log/index.ts'
import type { Holding, NewEvent } from '../../log/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import { cancelledOpening } from '../scope/run-records.ts'
import { failedResult, resultRecord } from '../scope/tool-result.ts'
import { INTERRUPTED } from '../scope/stop-reason.ts'

/** How often recovery looks at a thread again because another writer was faster. */
const RECOVERY_TRIES_MAX = 8

/**
 * Ends the runs that a crash left open in a thread, the deepest first, and the turns whose questions were
 * cancelled. Gives the thread after that.
 */
export async function recoverThread<State>(
  { gate, cut }: RecoveryParts<State>,
  thread: string,
  { fence }: Pick<Holding, 'fence'>,
): Promise<Snapshot<State>> {
  for (let tries = 0; tries < RECOVERY_TRIES_MAX; tries++) {
    const snapshot = await gate.snapshot(thread)
    if (!hasRunsToEnd(snapshot)) return snapshot
    const { waiting, approvals } = snapshot.pauses
    const cancelled = waiting.filter(isCancelled)
    const before = [
      ...endOpenRuns(snapshot, INTERRUPTED),
      ...cancelled.flatMap((each) => endWaiting(thread, each)),
      ...approvals.filter(isCancelled).flatMap((each) => endApproval(thread, each)),
    ]
    try {
      // A cancel that comes in between changes how the runs end.
      await gate.commit(thread, [], { before, expectedVersion: snapshot.seq, fence })
      cut?.(snapshot.openRuns)
    } catch (error) {
      if (!(error instanceof LogError) || error.code !== 'version_conflict') throw error
    }
  }
  throw new LogError('busy', `Cannot end the open runs of "${thread}": others always wrote first`)
}

interface RecoveryParts<State> {
  readonly gate: Gate<State>
  /** Told which runs were cut off. */
  readonly cut?: (runs: readonly OpenRun[]) => void
}

/** Recovers a thread that is held. */
export type Recover<State> = (
  thread: string,
  holding: Pick<Holding, 'fence'>,
) => Promise<Snapshot<State>>

/** Whether a crash left runs open in a thread, or a cancel has not ended its question yet. */
export function hasRunsToEnd<State>({
  openRuns,
  pauses,
}: Pick<Snapshot<State>, 'openRuns' | 'pauses'>): boolean {
  return openRuns.length > 0 || [...pauses.waiting, ...pauses.approvals].some(isCancelled)
}

function isCancelled({ cancelledBy }: Pick<WaitingTurn, 'cancelledBy'>): boolean {
  return cancelledBy !== undefined
}

/** Its questions are answered with nothing, and its tools never run. */
function endWaiting(
  thread: string,
  { run: stopped, agent, surface, waits }: WaitingTurn,
): readonly NewEvent[] {
  const run = stableId(thread, stopped, 'cancelled')
  const on = surface === undefined ? {} : { surface }
  const place = { agent, path: [agent], depth: 0, run, turn: run, ...on }
  return cancelledOpening(thread, { source: 'system', ...place }, waits)
}

/** Its tool never runs, and its agent reads that it was cancelled. */
function endApproval(thread: string, { wait, agent, surface }: OpenApproval): readonly NewEvent[] {
  const run = stableId(thread, wait.id, 'cancelled')
  const on = surface === undefined ? {} : { surface }
  const place = { agent, path: [agent], depth: 0, run, turn: run, ...on }
  const origin = { source: 'system', ...place } as const
  const [started, ended] = cancelledOpening(thread, origin, [wait])
  const { toolCallId, toolName: late } = wait
  const messageId = `${toolCallId}_result`
  const withdrawn = { ...failedResult('cancelled', 'Nobody decides about it any more'), late }
  return [started, resultRecord({ messageId, toolCallId }, withdrawn, origin), ended]
}
