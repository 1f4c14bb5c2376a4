import { createHash, randomUUID } from 'node:crypto'
import { MemoryLog } from '../src/log/index.ts'
import type { EventLog, LogRecord } from '../src/log/index.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
export const id: () => string = randomUUID

/** A log in memory, at the machine's clock unless it gets another one. */
export const memoryLog = (more: Partial<ConstructorParameters<typeof MemoryLog>[0]> = {}) =>
  new MemoryLog({ hash: sha256, now: Date.now, id, ...more })

/** Reads all records of a thread. */
export async function recordsOf(
  log: Pick<EventLog, 'read'>,
  thread = 't',
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of log.read(thread)) records.push(...batch)
  return records
}

/** A record as a thread may hold it, which no log has sealed. */
export const recordAt = (seq: number, more: Partial<LogRecord> = {}): LogRecord => ({
  seq,
  id: `id-${seq}`,
  thread: 't',
  ts: seq,
  type: 'noted',
  data: {},
  origin: { source: 'ui', depth: 0 },
  v: 1,
  prev: '',
  hash: '',
  ...more,
})
