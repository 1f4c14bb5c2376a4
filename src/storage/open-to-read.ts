import { existsSync } from 'node:fs'
import { LogError, readBatches } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import { openLog } from './open-log.ts'
import type { OpenLogOptions } from './open-log.ts'
import { SqliteReader } from './sqlite/sqlite-reader.ts'
import { sqlitePath } from './sqlite/sqlite-url.ts'
import { reporting } from './files/storage-error.ts'

export type ReadLog = Pick<EventLog, 'read' | 'find' | 'threads' | 'close'>

/**
 * Opens a log to read it: a file without being its writer, so that a server may use it meanwhile; any other as
 * `openLog` does.
 *
 * @throws {@link LogError} as `openLog` does; `configuration` where there is no such file
 */
export async function openLogToRead(url: string, options: OpenLogOptions = {}): Promise<ReadLog> {
  const path = sqlitePath(url)
  if (path === undefined) return openLog(url, options)
  if (!existsSync(path)) {
    throw new LogError('configuration', `Cannot open "${url}": there is no such file`)
  }
  const reader = reporting(`open "${path}"`, () => new SqliteReader(path))
  return {
    threads: async () => reader.threads(),
    find: async (thread, id) => reader.find(thread, id.toLowerCase()),
    read: (thread, from = {}) =>
      readBatches(
        (after, limit) => reader.page(thread, after, limit),
        async () => reader.head(thread),
        from,
      ),
    close: async () => reader.close(),
  }
}
