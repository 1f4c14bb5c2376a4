import { DatabaseSync } from 'node:sqlite'
import { Committer } from './committer.ts'
import { HeadsFile } from '../heads/heads-file.ts'
import type { ClaimedStore } from '../sqlite/claim-store.ts'
import { SqliteWriter } from '../sqlite/sqlite-writer.ts'

/** @throws {@link LogError} or an error of the database */
export function openCommitter(
  store: ClaimedStore,
  headsFile = new HeadsFile(store.heads),
): Committer {
  return new Committer(new SqliteWriter(new DatabaseSync(store.path), store), headsFile)
}
