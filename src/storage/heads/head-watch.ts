import type { HeadsFile } from './heads-file.ts'
import type { SqliteReader } from '../sqlite/sqlite-reader.ts'

/** Threads that are remembered as compared; the one that was met first goes first. */
export const COMPARED_THREADS_MAX = 10_000
/** Warnings of one process about threads: `verifyAll` lists all of them. */
export const THREAD_WARNINGS_MAX = 100

export interface HeadWatchParts {
  readonly reader: SqliteReader
  readonly headsFile: HeadsFile
  readonly onWarning: (warning: string) => void
}

/** Compares each thread with its anchor when the thread is first read or appended to, and warns. */
export class HeadWatch {
  readonly #parts: HeadWatchParts
  readonly #compared = new Set<string>()
  #warnings = 0

  constructor(parts: HeadWatchParts) {
    this.#parts = parts
  }

  /** Never throws: reads and appends report the damage. */
  meet(thread: string): void {
    if (this.#compared.has(thread)) return
    this.#compared.add(thread)
    if (this.#compared.size > COMPARED_THREADS_MAX) {
      const [oldest = ''] = this.#compared
      this.#compared.delete(oldest)
    }
    const finding = this.#compare(thread)
    if (finding !== undefined) this.#warn(`The thread ${JSON.stringify(thread)} ${finding}`)
  }

  #compare(thread: string): string | undefined {
    const { reader, headsFile } = this.#parts
    try {
      const anchor = headsFile.find(thread)
      const head = reader.head(thread)
      if (anchor && reader.hashAt(thread, anchor.seq) !== anchor.hash) {
        return `does not hold the record ${anchor.seq} that it is known to have had`
      }
      const from = (anchor?.seq ?? -1) + 1
      return head < from ? undefined : `has records without a head: ${from} to ${head}`
    } catch (error) {
      return `cannot be compared with its head: ${String(error)}`
    }
  }

  #warn(warning: string): void {
    this.#warnings++
    if (this.#warnings < THREAD_WARNINGS_MAX) return this.#parts.onWarning(warning)
    if (this.#warnings > THREAD_WARNINGS_MAX) return
    this.#parts.onWarning(`${warning}. Later threads are not named: verify the whole log`)
  }
}
