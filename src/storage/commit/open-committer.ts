import { DatabaseSync } from 'node:sqlite'
import { Committer } from './committer.ts'
import { HeadsFile } from '../heads/heads-file.ts'
import type { HeadsTerms } from '../heads/heads-file.ts'
import { SqliteWriter } from '../sqlite/sqlite-writer.ts'

/** The parts that the opener of a log hands over to its committer. */
export interface CommitTerms {
  readonly path: string
  readonly fence: string
  readonly heads: HeadsTerms
}

/** @throws {@link LogError} or an error of the database */
export function openCommitter(
  { path, fence, heads }: CommitTerms,
  headsFile = new HeadsFile(heads),
): Committer {
  const writer = new SqliteWriter(new DatabaseSync(path), { path, fence })
  return new Committer({ writer, headsFile })
}
