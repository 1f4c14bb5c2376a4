import { ourMetadata, turnOf } from '../activity/index.ts'
import { textOf } from '../json/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'

/**
 * The record with which the turn began: the last time, when it failed and ran again, or the time that
 * holds a position.
 */
export async function startOf(
  { log, turn }: { readonly log: EventLog; readonly turn: string },
  thread: string,
  position: number = Number.POSITIVE_INFINITY,
): Promise<LogRecord | undefined> {
  const first = await log.find(thread, turn)
  if (!first) return undefined
  let start = first
  let hasEnded = false
  for await (const records of log.read(thread, { after: first.seq })) {
    for (const record of records) {
      if (turnOf(record) !== turn) continue
      if (endsTurn(record)) hasEnded = true
      if (!hasEnded || record.type !== 'RUN_STARTED') continue
      hasEnded = false
      if (record.seq <= position) start = record
    }
  }
  return start
}

/** Whether a record ends a turn, rather than a run that another takes over. */
export function endsTurn({ type, data }: LogRecord): boolean {
  if (type === 'RUN_ERROR') return true
  return type === 'RUN_FINISHED' && textOf(ourMetadata(data), 'handoffTo') === ''
}
