import type { Anchor, LogError } from '../log/index.ts'
import type { HeadsFile } from './heads-file.ts'
import { storageError } from './sqlite-error.ts'

/** How long a commit may go without its head being written down; a first one is not kept waiting. */
export const ANCHOR_INTERVAL_MS = 50
/** Heads that wait to be written; more are not kept waiting either. */
export const ANCHORS_PENDING_MAX = 1_000

/** Writes down the heads of what was committed, now and then. */
export class Anchors {
  readonly #file: HeadsFile
  readonly #failed: (error: LogError) => void
  readonly #pending = new Map<string, Anchor>()
  #timer: NodeJS.Timeout | undefined

  constructor(file: HeadsFile, failed: (error: LogError) => void) {
    this.#file = file
    this.#failed = failed
  }

  note(heads: Iterable<readonly [string, Anchor]>): void {
    for (const [thread, head] of heads) this.#pending.set(thread, head)
    if (!this.#timer || this.#pending.size > ANCHORS_PENDING_MAX) this.#write()
  }

  find(thread: string): Promise<Anchor | undefined> {
    return this.#file.find(thread)
  }

  close(): void {
    if (this.#pending.size > 0) this.#write()
    clearTimeout(this.#timer)
    this.#file.close()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#pending.size > 0) this.#write()
    }, ANCHOR_INTERVAL_MS).unref()
    try {
      this.#file.add(this.#pending)
      this.#pending.clear()
    } catch (error) {
      const failure = storageError('write down the heads', error)
      // On a full disk the heads wait for space, as the appends do.
      if (failure.code !== 'storage_full') this.#failed(failure)
    }
  }
}
