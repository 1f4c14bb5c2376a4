import type { EventLog } from '../../log/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { ActiveTurn } from '../scope/active-runs.ts'
import { TurnOutcome } from '../scope/turn-outcome.ts'

/** How long the result of a turn whose lease was lost waits for another process to end the turn. */
export const SUCCESSOR_WAIT_MAX_MS = 30_000

/**
 * Reads the records of a turn that another process works on, until one ends it. Resolves with undefined
 * after {@link SUCCESSOR_WAIT_MAX_MS}, or when the log is closed.
 */
export async function endedElsewhere(
  log: EventLog,
  { thread, turn }: Pick<ActiveTurn, 'thread' | 'turn'>,
  seq: number,
): Promise<TurnOutcome | undefined> {
  const outcome = new TurnOutcome(turn)
  const records = log.subscribe(thread, { after: seq - 1 })
  const limit = setTimeout(() => inBackground(records.return?.()), SUCCESSOR_WAIT_MAX_MS)
  try {
    for await (const batch of records) {
      outcome.take(batch)
      if (outcome.hasEnded) return outcome
    }
    return undefined
  } finally {
    clearTimeout(limit)
  }
}
