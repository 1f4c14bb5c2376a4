import { unknownMember } from './json/index.ts'
import type { KnownMembers } from './json/index.ts'
import { LogError, MemoryLog } from './log/index.ts'
import type { EventLog } from './log/index.ts'
import { sha256, uuidv7Source } from './platform/index.ts'
import type { OpenLogOptions } from './storage/index.ts'

/**
 * Opens the log at `sqlite:PATH`, which is created with its folders when it is not there, in the
 * Postgres database at `postgres://user@host/database`, which any number of processes may share, or
 * `memory:`.
 *
 * @throws {@link LogError} `configuration`, `locked`, `corrupt`, `storage_full`, `io`
 *
 * @example
 * const log = await openLog('sqlite:data/cases.db')
 * await log.append('case-1', [{ type: 'case_opened', data: {} }])
 * for await (const records of log.subscribe('case-1')) console.log(records)
 */
export async function openLog(url: string, options: OpenLogOptions = {}): Promise<EventLog> {
  checkLogOptions('the options', options)
  if (url === 'memory:') return openMemory(options)
  // Loaded only here: Node's SQLite takes long to load, and a browser has none.
  const { openLog: openStored } = await import('#storage')
  return openStored(url, options)
}

export function openMemory({ now = Date.now, id = uuidv7Source(now) }: OpenLogOptions): MemoryLog {
  return new MemoryLog({ hash: sha256, now, id })
}

const LOG_OPTIONS: KnownMembers<OpenLogOptions> = {
  now: true,
  id: true,
  onFatal: true,
  onWarning: true,
  anchorKeys: true,
  headsFile: true,
  unsignedHeads: true,
}

/**
 * Node runs a program without checking its types: a misspelt `anchorKeys` would leave a log unsigned.
 *
 * @throws {@link LogError} `configuration`
 */
export function checkLogOptions(what: string, options: unknown): void {
  const why = unknownMember(options, LOG_OPTIONS)
  if (why !== undefined) throw new LogError('configuration', `Cannot open a log: ${what}: ${why}`)
}
