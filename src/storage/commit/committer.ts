import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../../log/index.ts'
import type { Anchor } from '../../log/index.ts'
import { placeAsNew, placeOrRefuse } from './drafted-append.ts'
import type { DraftedAppend, Outcome } from './drafted-append.ts'
import { HeadsFile } from '../heads/heads-file.ts'
import type { ClaimedStore } from './claim-store.ts'
import { storageError } from '../files/storage-error.ts'
import { SqliteWriter } from './sqlite-writer.ts'

/**
 * The outcomes of appends that shared a transaction. After a `failure` the log refuses all appends:
 * the content of the disk is unknown.
 */
export type Committed =
  | {
      readonly status: 'committed'
      readonly outcomes: readonly Outcome[]
      readonly failure: LogError | null
      /** How long the transaction waited for the disk. */
      readonly diskMs: number
    }
  | { readonly status: 'refused'; readonly refusal: LogError; readonly failure: LogError | null }

/** Puts appends on the disk, all that it is given at a time in one transaction. */
export class Committer {
  readonly #writer: SqliteWriter
  readonly #headsFile: HeadsFile

  constructor(writer: SqliteWriter, headsFile: HeadsFile) {
    this.#writer = writer
    this.#headsFile = headsFile
  }

  /**
   * Returns when the records are on the disk and their heads are written down: then readers may see them.
   * Heads that a full disk has kept back come first, so that one group at most is ahead of its heads.
   */
  commit(appends: readonly DraftedAppend[]): Committed {
    try {
      this.#headsFile.flush()
      this.#writer.begin()
      const outcomes = appends.map((append) => this.#place(append))
      const since = performance.now()
      const moved = this.#writer.commit()
      const diskMs = performance.now() - since
      const failure = this.#headsFile.tryAdd(moved)
      return { status: 'committed', outcomes, failure, diskMs }
    } catch (error) {
      const refusal = storageError('append', error)
      return { status: 'refused', refusal, failure: this.#giveUp(refusal) }
    }
  }

  /** @throws {@link LogError} */
  close(): void {
    try {
      this.#headsFile.close()
    } catch (error) {
      throw storageError('close the log', error)
    } finally {
      this.#writer.close()
    }
  }

  #place(append: DraftedAppend): Outcome {
    const { thread, expectedVersion } = append
    const writer = this.#writer
    const head = writer.head(thread)
    const lost = writer.remembers(thread) ? undefined : this.#lostAnchor(thread, head)
    if (lost) return notAsAnchored(thread, lost)
    if (expectedVersion === null || expectedVersion === head.seq) {
      const placed = placeAsNew(append, head)
      if (writer.insertAll(thread, placed.fresh)) return placed
      writer.cutBack(thread, head)
    }
    return placeOrRefuse(append, writer.target(thread))
  }

  /** The thread's anchor, if the thread does not reach it, or has another hash there. */
  #lostAnchor(thread: string, head: Anchor): Anchor | undefined {
    const anchor = this.#headsFile.find(thread)
    if (!anchor) return undefined
    const hash = anchor.seq === head.seq ? head.hash : this.#writer.hashAt(thread, anchor.seq)
    return hash === anchor.hash ? undefined : anchor
  }

  /** Leaves nothing of the transaction. An unknown error is final. */
  #giveUp(refusal: LogError): LogError | null {
    this.#writer.forget()
    // A disk that failed is left alone: nothing more is tried on it through this connection.
    if (refusal.code === 'io') return refusal
    try {
      this.#writer.rollBack()
    } catch (error) {
      return storageError('roll back', error)
    }
    return refusal.code === 'busy' || refusal.code === 'storage_full' ? null : refusal
  }
}

/** @throws {@link LogError} or an error of the database */
export function openCommitter(
  store: ClaimedStore,
  headsFile = new HeadsFile(store.heads),
): Committer {
  return new Committer(new SqliteWriter(new DatabaseSync(store.path), store), headsFile)
}

function notAsAnchored(thread: string, { seq }: Anchor): LogError {
  return new LogError(
    'corrupt',
    `Cannot append to "${thread}": it does not hold the record ${seq} that it is known to have had`,
  )
}
