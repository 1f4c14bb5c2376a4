import { DatabaseSync } from 'node:sqlite'
import type { Anchor } from '../log/index.ts'
import { Committer } from './committer.ts'
import { HeadsFile } from './heads-file.ts'
import type { HeadsFileTerms } from './heads-file.ts'
import { SqliteWriter } from './sqlite-writer.ts'

/** What whoever opened the log hands over to whoever writes to it. */
export interface CommitTerms {
  readonly path: string
  readonly fence: string
  readonly heads: HeadsFileTerms
  readonly suspects: ReadonlyMap<string, Anchor>
}

/** @throws {@link LogError} or an error of the database */
export function openCommitter({ path, fence, heads, suspects }: CommitTerms): Committer {
  const headsFile = new HeadsFile(heads)
  headsFile.goOn()
  const writer = new SqliteWriter(new DatabaseSync(path), { path, fence })
  return new Committer({ writer, headsFile, suspects })
}
