import { isThreadName, recordAt } from '../../log/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'

/** The record with which a thread begins; undefined where there is no such thread. */
export async function firstRecord(log: EventLog, thread: string): Promise<LogRecord | undefined> {
  return isThreadName(thread) ? recordAt(log, thread, 0) : undefined
}
