import { LogError, MemoryLog, MemoryShelves } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import { sha256, uuidv7Source } from '../platform/index.ts'
import { SLOW_COMMIT_MS } from './commit/commit-link.ts'
import type { HeadsOptions } from './heads/heads-options.ts'
import { openSqlite } from './open-sqlite.ts'
import type { OpenedEngine } from './sql/opened-engine.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { isPostgresUrl } from './postgres/postgres-url.ts'
import { openSqliteShelves } from './sqlite/open-sqlite-shelves.ts'
import { sqlitePath } from './sqlite/sqlite-url.ts'

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
  return (await openEngine(url, options)).log
}

/** As {@link openLog}, with the way to what lies beside the log. */
export async function openEngine(url: string, given: OpenLogOptions): Promise<OpenedEngine> {
  const { now = Date.now, onFatal = ignore, onWarning = ignore } = given
  const sources = { now, id: given.id ?? uuidv7Source(now) }
  const options = { ...given, sources, onFatal, onWarning }
  const path = sqlitePath(url)
  if (url === 'memory:') {
    const log = new MemoryLog({ hash: sha256, ...sources })
    return { log, openShelves: async () => ({ shelves: new MemoryShelves() }) }
  }
  if (path !== undefined) {
    const log = openSqlite(path, { ...options, slowCommitMs: SLOW_COMMIT_MS })
    return { log, openShelves: (terms) => openSqliteShelves(path, terms) }
  }
  if (isPostgresUrl(url)) return openPostgres(url, options)
  const why = url.startsWith('sqlite:') ? 'it names no file' : 'its store is unknown'
  throw new LogError(
    'configuration',
    `Cannot open the log "${url}": ${why}; use "sqlite:PATH", "postgres://…" or "memory:"`,
  )
}

/** Appends after a failure are refused with it, and `verify` reports what warnings tell. */
function ignore(): void {}
