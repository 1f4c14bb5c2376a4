import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { LogError } from '../../log/index.ts'

/**
 * The files that a connection has open, by device and inode. SQLite continues to write to a file that was
 * removed or replaced; such writes are lost when the process ends.
 *
 * A file is removed or replaced in its folder, so its folder's time of change is asked for first. To ask a file
 * itself for its times makes the next sync of it write its inode too.
 */
export class StoreFiles {
  readonly #opened: readonly OpenedFile[]
  readonly #folder: string
  /** The folder's time of change at the last look at the files; absent while that was too recent. */
  #seenAt: number | undefined

  /** Called once the connection has opened both files. */
  constructor(path: string) {
    this.#folder = dirname(path)
    this.#opened = [path, `${path}-wal`].map((each) => ({ path: each, identity: identityOf(each) }))
  }

  /** @throws {@link LogError} `io` */
  requireUnchanged(): void {
    const { mtimeMs = 0 } = statSync(this.#folder, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs === this.#seenAt) return
    this.#seenAt = Date.now() - mtimeMs > CLOCK_STEP_MS ? mtimeMs : undefined
    const changed = this.#opened.find(({ path, identity }) => identityOf(path) !== identity)
    if (!changed) return
    throw new LogError(
      'io',
      `Cannot append: "${changed.path}" was removed or replaced while the log had it open; ` +
        'the last records may be lost. Start again, and copy a store only by VACUUM INTO',
    )
  }
}

/** Two changes of a folder within a step of the file system's clock may have the same time. */
const CLOCK_STEP_MS = 100

interface OpenedFile {
  readonly path: string
  readonly identity: string | undefined
}

function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  return file && `${file.dev}:${file.ino}`
}
