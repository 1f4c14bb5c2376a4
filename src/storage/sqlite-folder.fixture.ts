import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newFolder } from '../../test/folders.fixture.ts'
import type { EventLog, LogRecord, NewEvent } from '../log/index.ts'

/** A path for a database in an empty folder, which goes with the tests of the file. */
export function freshPath(): string {
  const folder = join(newFolder(), 'log')
  mkdirSync(folder)
  return join(folder, 'log.db')
}

/** Does to a database what its log would not. */
export function tamper(path: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false })
  for (const statement of statements) database.exec(statement)
  database.close()
}

export async function recordsOf(log: EventLog, thread: string): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of log.read(thread)) records.push(...batch)
  return records
}

export function counted(from: number, to: number): NewEvent[] {
  return Array.from({ length: to - from }, (_, n) => ({ type: 'counted', data: { n: from + n } }))
}
