import type { EventLog } from '../log/index.ts'
import { TurnOutcome } from './turn-outcome.ts'

/** How long the result of a turn whose lease was lost waits for another process to end the turn. */
export const SUCCESSOR_WAIT_MAX_MS = 30_000

/** A turn, and where its run's first record stands. */
export interface StartedTurn {
  readonly thread: string
  readonly turn: string
  readonly seq: number
}

/**
 * Follows a turn that another process has taken up until its end is on record. Resolves with nothing
 * after {@link SUCCESSOR_WAIT_MAX_MS}, or when the log is closed.
 */
export async function endedElsewhere(
  log: EventLog,
  { thread, turn, seq }: StartedTurn,
): Promise<TurnOutcome | undefined> {
  const outcome = new TurnOutcome(turn)
  const records = log.subscribe(thread, { after: seq - 1 })
  const limit = setTimeout(() => void records.return?.(), SUCCESSOR_WAIT_MAX_MS)
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
