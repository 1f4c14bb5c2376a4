import { DatabaseSync } from 'node:sqlite'
import { LogError, draftAll } from '../../log/index.ts'
import type { Appended, NewEvent } from '../../log/index.ts'
import { Committer } from './committer.ts'
import type { Committed } from './committer.ts'
import type { DraftedAppend } from './drafted-append.ts'
import { HeadsFile } from '../heads/heads-file.ts'
import { takeOver } from '../sqlite/sqlite-schema.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { uuidv7 } from '../../platform/index.ts'

/** Makes a committer on a connection that a test can make fail. */
export function committerOn(
  path: string,
  prepare: (database: DatabaseSync) => void = () => {},
): { database: DatabaseSync; committer: Committer } {
  const opening = new DatabaseSync(path)
  const { fence, epoch } = takeOver(opening, path)
  opening.close()
  const database = new DatabaseSync(path)
  prepare(database)
  const headsFile = new HeadsFile({ path: `${path}.heads`, keys: [''], epoch })
  headsFile.open('is empty')
  const writer = new SqliteWriter(database, { path, fence })
  return { database, committer: new Committer(writer, headsFile) }
}

export function drafted(thread: string, events: readonly NewEvent[]): DraftedAppend {
  return {
    thread,
    expectedVersion: null,
    drafts: draftAll(thread, events, { now: () => 0, id: uuidv7 }),
  }
}

/** The records of one append, which must have succeeded. */
export function onlyOf(committed: Committed): Appended {
  const [outcome] = committed.status === 'committed' ? committed.outcomes : []
  if (!outcome || outcome instanceof LogError) throw outcome ?? new Error('Nothing was committed')
  return outcome
}
