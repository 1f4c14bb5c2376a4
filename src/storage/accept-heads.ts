import { existsSync, renameSync } from 'node:fs'
import { LogError } from '../log/index.ts'
import { claimStore } from './commit/claim-store.ts'
import type { HeadsOptions } from './heads/heads-options.ts'
import { HeadsFile } from './heads/heads-file.ts'
import { byName } from './heads/heads-lines.ts'
import type { NamedHead } from './heads/heads-lines.ts'
import { openingError } from './open-sqlite.ts'
import { SqliteReader } from './sqlite/sqlite-reader.ts'

export interface AcceptedHeads {
  readonly headsFile: string
  readonly threads: number
  readonly records: number
  /** The new path of the former file, if there was one. */
  readonly kept?: string
}

/**
 * Begins a new heads file for the database at a path when the former one is lost or does not fit. All
 * stored records are unanchored from then on. An operator's decision: see docs/log-format.md.
 *
 * @throws {@link LogError} `configuration` when there is nothing to mend, `locked`, `corrupt`,
 * `storage_full`, `io`
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
    const reader = keep(new SqliteReader(database))
    const headsFile = keep(new HeadsFile(heads))
    if (headsFit(headsFile, reader)) throw nothingToMend(heads.path)
    const all = unanchoredHeads(reader)
    const kept = existsSync(heads.path) ? `${heads.path}.${Date.now()}` : undefined
    if (kept !== undefined) renameSync(heads.path, kept)
    headsFile.begin(all)
    const records = all.reduce((sum, [, { seq }]) => sum + seq + 1, 0)
    const accepted = { headsFile: heads.path, threads: all.length, records }
    return { ...accepted, ...(kept !== undefined && { kept }) }
  } catch (error) {
    throw openingError(path, error)
  } finally {
    for (const part of opened.toReversed()) part.close()
  }
}

/** Whether the file is signed as it must be and the database holds every head in it. */
function headsFit(headsFile: HeadsFile, reader: SqliteReader): boolean {
  try {
    headsFile.open(reader.isEmpty() ? 'is empty' : 'holds records')
  } catch (error) {
    if (error instanceof LogError && error.code === 'configuration') return false
    throw error
  }
  return [...headsFile.heads()].every(
    ([thread, { seq, hash }]) => reader.hashAt(thread, seq) === hash,
  )
}

function nothingToMend(path: string): LogError {
  const state = 'it is sound and fits the database, so there is nothing to mend'
  return new LogError('configuration', `Cannot begin the heads file "${path}" anew: ${state}`)
}

function unanchoredHeads(reader: SqliteReader): readonly NamedHead[] {
  const ts = Date.now()
  const all = Array.from(reader.heads(), ({ thread, seq, hash }): NamedHead => {
    return [thread, { seq, hash, ts, unanchored: [[0, seq]] }]
  })
  return all.toSorted(byName)
}
