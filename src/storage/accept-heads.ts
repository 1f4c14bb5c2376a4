import { existsSync, renameSync } from 'node:fs'
import { LogError } from '../log/index.ts'
import { claimStore } from './claim-store.ts'
import type { HeadsOptions } from './claim-store.ts'
import { HeadsFile } from './heads-file.ts'
import type { NamedHead } from './heads-lines.ts'
import { openingError } from './open-sqlite.ts'
import { SqliteReader } from './sqlite-reader.ts'

export interface AcceptedHeads {
  readonly headsFile: string
  readonly threads: number
  readonly records: number
  /** Where the former file lies now, if there was one. */
  readonly kept?: string
}

/**
 * Begins a new heads file for the database at a path, whatever the former one said. All records that
 * are stored are on record as unanchored from then on. An operator's decision: see docs/log-format.md.
 *
 * @throws {@link LogError} `configuration`, `locked`, `corrupt`, `storage_full`, `io`
 */
export function acceptHeads(path: string, options: HeadsOptions = {}): AcceptedHeads {
  const opened: { close(): void }[] = []
  const keep = <Part extends { close(): void }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  try {
    if (!existsSync(path))
      throw new LogError('configuration', `Cannot find a database at "${path}"`)
    const { path: database, heads } = claimStore(path, options, keep)
    const all = unanchoredHeads(keep(new SqliteReader(database)))
    const kept = existsSync(heads.path) ? `${heads.path}.${Date.now()}` : undefined
    if (kept !== undefined) renameSync(heads.path, kept)
    keep(new HeadsFile(heads)).begin(all)
    const records = all.reduce((sum, [, { seq }]) => sum + seq + 1, 0)
    const accepted = { headsFile: heads.path, threads: all.length, records }
    return { ...accepted, ...(kept !== undefined && { kept }) }
  } catch (error) {
    throw openingError(path, error)
  } finally {
    for (const part of opened.toReversed()) part.close()
  }
}

function unanchoredHeads(reader: SqliteReader): readonly NamedHead[] {
  const ts = Date.now()
  const all = Array.from(reader.heads(), ({ thread, seq, hash }): NamedHead => {
    return [thread, { seq, hash, ts, unanchored: [[0, seq]] }]
  })
  return all.toSorted(([one], [other]) => (one < other ? -1 : 1))
}
