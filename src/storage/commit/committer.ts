import { LogError, place } from '../../log/index.ts'
import type { Anchor, Appended, Draft } from '../../log/index.ts'
import type { HeadsFile } from '../heads/heads-file.ts'
import { writeHeads } from '../heads/write-heads.ts'
import { sha256 } from '../../platform/index.ts'
import { storageError } from '../sqlite/sqlite-error.ts'
import type { SqliteWriter } from '../sqlite/sqlite-writer.ts'

/** An append that was checked and encoded. */
export interface DraftedAppend {
  readonly thread: string
  readonly drafts: readonly Draft[]
  /** The head that its writer saw, if that matters. */
  readonly expectedVersion: number | null
}

/** The outcome of one append: its records, or the error that refuses it. */
export type Outcome = Appended | LogError

/**
 * The outcomes of appends that shared a transaction. After a `failure` the log refuses all appends:
 * the content of the disk is unknown.
 */
export type Committed =
  | {
      readonly status: 'committed'
      /** The outcome of each append. */
      readonly outcomes: readonly Outcome[]
      readonly failure: LogError | null
      /** How long the transaction waited for the disk. */
      readonly diskMs: number
    }
  | { readonly status: 'refused'; readonly refusal: LogError; readonly failure: LogError | null }

export interface CommitterParts {
  readonly writer: SqliteWriter
  readonly headsFile: HeadsFile
}

/** Puts appends on the disk, all that it is given at a time in one transaction. */
export class Committer {
  readonly #parts: CommitterParts

  constructor(parts: CommitterParts) {
    this.#parts = parts
  }

  /**
   * Returns when the records are on the disk and their heads are written down: then anybody may hear.
   * Heads that a full disk has kept back come first, so that one group at most is ahead of its heads.
   */
  commit(appends: readonly DraftedAppend[]): Committed {
    const { writer, headsFile } = this.#parts
    try {
      headsFile.flush()
      writer.begin()
      const outcomes = appends.map((append) => this.#place(append))
      const since = performance.now()
      const moved = writer.commit()
      const diskMs = performance.now() - since
      return { status: 'committed', outcomes, failure: writeHeads(headsFile, moved), diskMs }
    } catch (error) {
      const refusal = storageError('append', error)
      return { status: 'refused', refusal, failure: this.#giveUp(refusal) }
    }
  }

  /** @throws {@link LogError} */
  close(): void {
    try {
      this.#parts.headsFile.close()
    } catch (error) {
      throw storageError('close the log', error)
    } finally {
      this.#parts.writer.close()
    }
  }

  #place({ thread, drafts, expectedVersion }: DraftedAppend): Outcome {
    const { writer } = this.#parts
    const head = writer.head(thread)
    const lost = writer.remembers(thread) ? undefined : this.#lostAnchor(thread, head)
    if (lost) return notAsAnchored(thread, lost)
    if (expectedVersion === null || expectedVersion === head.seq) {
      // Assumes that all ids are new; the insertion finds used ones.
      const placed = place(drafts, { thread, head, ...HOLDS_NOTHING }, { sha256 })
      if (writer.insertAll(thread, placed.fresh)) return placed
      writer.cutBack(thread, head)
    }
    try {
      const options = { sha256, ...(expectedVersion !== null && { expectedVersion }) }
      return place(drafts, writer.target(thread), options)
    } catch (error) {
      // The conflict was found before any insertion of this append, so the others need not fail.
      if (error instanceof LogError && error.code === 'version_conflict') return error
      throw error
    }
  }

  /** The thread's anchor, if the thread does not reach it, or has another hash there. */
  #lostAnchor(thread: string, head: Anchor): Anchor | undefined {
    const { writer, headsFile } = this.#parts
    const anchor = headsFile.find(thread)
    if (!anchor) return undefined
    const hash = anchor.seq === head.seq ? head.hash : writer.hashAt(thread, anchor.seq)
    return hash === anchor.hash ? undefined : anchor
  }

  /** Leaves nothing of the transaction. An unknown error is final. */
  #giveUp(refusal: LogError): LogError | null {
    const { writer } = this.#parts
    writer.forget()
    // A disk that failed is left alone: nothing more is tried on it through this connection.
    if (refusal.code === 'io') return refusal
    try {
      writer.rollBack()
    } catch (error) {
      return storageError('roll back', error)
    }
    return refusal.code === 'busy' || refusal.code === 'storage_full' ? null : refusal
  }
}

/** For `place`, when the thread's ids are checked later. */
const HOLDS_NOTHING = { find: () => undefined, insert: () => true } as const

function notAsAnchored(thread: string, { seq }: Anchor): LogError {
  return new LogError(
    'corrupt',
    `Cannot append to "${thread}": it does not hold the record ${seq} that it is known to have had`,
  )
}
