import type { EventLog } from './event-log.ts'
import type { LogRecord } from './record.ts'

/** Reads the record at a position of a thread; `undefined` where the thread does not reach it. */
export async function recordAt(
  log: Pick<EventLog, 'read'>,
  thread: string,
  seq: number,
): Promise<LogRecord | undefined> {
  for await (const [record] of log.read(thread, { after: seq - 1, limit: 1 })) return record
  return undefined
}
