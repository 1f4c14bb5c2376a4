import type { EventLog } from '../log/index.ts'
import { openSqlite } from './open-sqlite.ts'
import { uuidv7 } from './uuidv7.ts'

/** Opens a log to which every disk is slow, so that its commits have a thread of their own. */
export async function openOnASlowDisk(path: string): Promise<EventLog> {
  const sources = { now: Date.now, id: uuidv7 }
  const onFatal = () => {}
  const log = openSqlite(path, { sources, anchorKey: '', onFatal, slowCommitMs: -1 })
  // Appends that nobody could make, since that takes a head to be known.
  for (let commit = 0; commit < 10; commit++) {
    await log.append('t', [{ type: 'none', data: {} }], { expectedVersion: 1e9 }).catch(() => {})
  }
  return log
}
