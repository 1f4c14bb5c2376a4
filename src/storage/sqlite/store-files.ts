import { statSync } from 'node:fs'
import { LogError } from '../../log/index.ts'

/**
 * The files that a connection has open, by device and inode. SQLite continues to write to a file that was
 * removed or replaced; such writes are lost when the process ends.
 */
export class StoreFiles {
  readonly #opened: readonly OpenedFile[]

  /** Called once the connection has opened both files. */
  constructor(path: string) {
    this.#opened = [path, `${path}-wal`].map((each) => ({ path: each, identity: identityOf(each) }))
  }

  /** @throws {@link LogError} `io` */
  requireUnchanged(): void {
    const changed = this.#opened.find(({ path, identity }) => identityOf(path) !== identity)
    if (!changed) return
    throw new LogError(
      'io',
      `Cannot append: "${changed.path}" was removed or replaced while the log had it open; ` +
        'the last records may be lost. Start again, and copy a store only by VACUUM INTO',
    )
  }
}

interface OpenedFile {
  readonly path: string
  readonly identity: string | undefined
}

function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  return file && `${file.dev}:${file.ino}`
}
