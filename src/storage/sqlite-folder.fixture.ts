import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll } from 'vitest'
import type { EventLog, LogRecord, NewEvent } from '../log/index.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A path for a database in an empty folder, which goes with the tests of the file. */
export function freshPath(): string {
  return join(mkdtempSync(join(root, 'log-')), 'log.db')
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
