import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../log/index.ts'
import type { Anchor, EventLog, Sources } from '../log/index.ts'
import { HeadsFile } from './heads-file.ts'
import type { Heads } from './heads-file.ts'
import { storageError } from './sqlite-error.ts'
import { SqliteLog } from './sqlite-log.ts'
import { SqliteReader } from './sqlite-reader.ts'
import { takeOver } from './sqlite-schema.ts'
import { holdWriteLock } from './write-lock.ts'

/** How long opening waits for somebody else's transaction on the file. */
const OPEN_WAIT_MAX_MS = 2_000

export interface SqliteOptions {
  readonly sources: Sources
  readonly anchorKey: string
  /** Commits that mostly take longer are left to a thread of their own. */
  readonly slowCommitMs: number
  readonly onFatal: (error: LogError) => void
}

/** @throws {@link LogError} `locked`, `corrupt`, `configuration`, `storage_full`, `io` */
export function openSqlite(given: string, options: SqliteOptions): EventLog {
  const opened: { close(): void }[] = []
  const keep = <Part extends { close(): void }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  try {
    const path = realPathOf(given)
    keep(holdWriteLock(path))
    const database = keep(new DatabaseSync(path, { timeout: OPEN_WAIT_MAX_MS }))
    const { epoch, fence } = takeOver(database, path, options.sources.id)
    const held = [...opened]
    const reader = keep(new SqliteReader(path))
    const heads = { path: `${path}.heads`, key: options.anchorKey, epoch }
    const headsFile = new HeadsFile(heads)
    const { suspects, ahead } = compare(reader, headsFile.open())
    headsFile.add(ahead)
    headsFile.close()
    const commits = { path, fence, heads, suspects }
    return new SqliteLog({ ...options, epoch, reader, held, headsFile, commits })
  } catch (error) {
    for (const part of opened.toReversed()) part.close()
    throw openingError(given, error)
  }
}

/** One name for one file, so that two ways to it meet at the same lock. */
function realPathOf(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  const real = join(realpathSync(dirname(path)), basename(path))
  return existsSync(real) ? realpathSync(real) : real
}

/** Holds every thread against its anchor; a thread ahead of it was appended to before a crash. */
function compare(reader: SqliteReader, anchored: Heads) {
  const suspects = new Map<string, Anchor>(anchored)
  const ahead: [string, Anchor][] = []
  for (const { thread, seq, hash } of reader.heads()) {
    const anchor = anchored.get(thread)
    const agrees = !anchor || reader.hashAt(thread, anchor.seq) === anchor.hash
    if (agrees) suspects.delete(thread)
    if (agrees && seq > (anchor?.seq ?? -1)) ahead.push([thread, { seq, hash }])
  }
  return { suspects, ahead }
}

function openingError(path: string, error: unknown): LogError {
  const failure = storageError(`open "${path}"`, error)
  if (failure.code !== 'busy') return failure
  return new LogError('locked', `Cannot open "${path}": another process holds a lock on it`, {
    cause: error,
  })
}
