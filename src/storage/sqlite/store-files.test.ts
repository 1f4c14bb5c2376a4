import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { committerOn, drafted, onlyOf } from '../commit/committer.fixture.ts'
import { counted, freshPath } from '../sqlite-folder.fixture.ts'

/** Damages to the files of a store while its process has them open. */
const MISHAPS: readonly (readonly [string, (path: string) => void])[] = [
  // A tool that closes the database does this, once a copy in this process has dropped SQLite's locks.
  ['the write-ahead log is removed', (path) => rmSync(`${path}-wal`)],
  ['the database is removed', (path) => rmSync(path)],
  ['the database is replaced by a copy', replaceByCopy],
]

test.for(MISHAPS)(
  '[D4] no append is acknowledged after %s',
  ([, happens]: (typeof MISHAPS)[number]) => {
    const path = freshPath()
    const { committer } = committerOn(path)
    expect(onlyOf(committer.commit([drafted('t', counted(0, 3))])).records).toHaveLength(3)
    happens(path)
    const refused = { code: 'io', message: expect.stringContaining('was removed or replaced') }
    expect(committer.commit([drafted('t', counted(3, 4))])).toMatchObject({
      status: 'refused',
      refusal: refused,
      failure: refused,
    })
    committer.close()
  },
)

function replaceByCopy(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}
