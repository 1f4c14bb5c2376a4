import { isThreadName, recordAt } from '../../log/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'

export async function firstRecord(log: EventLog, thread: string): Promise<LogRecord | undefined> {
  return isThreadName(thread) ? recordAt(log, thread, 0) : undefined
}
