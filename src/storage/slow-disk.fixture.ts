import type { EventLog } from '../log/index.ts'
import { openSqlite } from './open-sqlite.ts'
import { uuidv7 } from '../platform/index.ts'

const ignore = (): void => {}
const sources = { now: Date.now, id: uuidv7 }

/** Opens a log to which no disk is slow, so that its commits are made in this thread. */
export function openOnAQuickDisk(path: string): EventLog {
  const slowCommitMs = Number.POSITIVE_INFINITY
  return openSqlite(path, { sources, onFatal: ignore, onWarning: ignore, slowCommitMs })
}

/** Opens a log to which every disk is slow, so that its commits have a thread of their own. */
export async function openOnASlowDisk(
  path: string,
  onWarning: (warning: string) => void = () => {},
): Promise<EventLog> {
  const log = openSqlite(path, { sources, onFatal: ignore, onWarning, slowCommitMs: -1 })
  const started = new Promise<void>((resolve) => {
    process.once('worker', (worker) => {
      worker.once('message', () => resolve()).once('error', () => resolve())
    })
  })
  // Appends that could not be made otherwise, since that takes a known head.
  for (let commit = 0; commit < 10; commit++) {
    await log.append('t', [{ type: 'none', data: {} }], { expectedVersion: 1e9 }).catch(() => {})
  }
  await started
  return log
}
