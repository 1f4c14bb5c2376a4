import { LogError, MemoryLog } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import type { HeadsOptions } from './heads/heads-options.ts'
import { SLOW_COMMIT_MS } from './commit/commit-link.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'
import { openSqlite } from './open-sqlite.ts'
import { sqlitePath } from './sqlite/sqlite-url.ts'
import { sha256, uuidv7Source } from '../platform/index.ts'

export interface OpenLogOptions extends HeadsOptions {
  /** Milliseconds since the epoch, for events that bring no `ts`; the system's clock by default. */
  readonly now?: () => number
  /** A fresh UUID, for events that bring no `id`; version 7 by default. */
  readonly id?: () => string
  /**
   * Called with the failure after which the log refuses all appends. Reads go on; the process should
   * end, since only a new one can find out what the disk holds.
   */
  readonly onFatal?: (error: LogError) => void
  /** Called with each warning that an operator should look at while the log goes on. */
  readonly onWarning?: (warning: string) => void
}

/** @throws {@link LogError} `configuration`, `locked`, `corrupt`, `storage_full`, `io` */
export async function openLog(url: string, options: OpenLogOptions = {}): Promise<EventLog> {
  const { now = Date.now, onFatal = ignore, onWarning = ignore } = options
  const sources = { now, id: options.id ?? uuidv7Source(now) }
  if (url === 'memory:') return new MemoryLog({ hash: sha256, ...sources })
  const path = sqlitePath(url)
  if (path !== undefined) {
    const slowCommitMs = SLOW_COMMIT_MS
    return openSqlite(path, { ...options, sources, onFatal, onWarning, slowCommitMs })
  }
  if (isPostgresUrl(url)) return openPostgres(url, { ...options, sources, onFatal, onWarning })
  const why = url.startsWith('sqlite:') ? 'it names no file' : 'its store is unknown'
  throw new LogError(
    'configuration',
    `Cannot open the log "${url}": ${why}; use "sqlite:PATH", "postgres://…" or "memory:"`,
  )
}

/** Appends after a failure are refused with it, and `verify` reports what warnings tell. */
function ignore(): void {}
