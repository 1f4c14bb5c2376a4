import { assert } from '../assert/index.ts'
import { LogError, place, recordJson } from '../log/index.ts'
import type { Anchor, Appended, Draft, LogRecord, Sealed } from '../log/index.ts'
import type { Answer, AppendPart, CommitReply, CommitRequest, Failure } from './commit-messages.ts'
import type { HeadsFile } from './heads-file.ts'
import { sha256 } from './sha256.ts'
import { storageError } from './sqlite-error.ts'
import type { SqliteWriter } from './sqlite-writer.ts'

/** Events after which one transaction takes no further append. */
export const GROUP_EVENTS_MAX = 4_096
/** How long a file that somebody else holds is tried again. */
export const BUSY_WAIT_MAX_MS = 5_000

export interface CommitterParts {
  readonly writer: SqliteWriter
  readonly headsFile: HeadsFile
  /** Threads that do not reach their anchor, or not with its hash: nothing may be built on them. */
  readonly suspects: ReadonlyMap<string, Anchor>
  readonly reply: (reply: CommitReply) => void
  /** Lets some time pass before a busy file is tried again; false when there is no more time. */
  readonly wait: () => boolean
}

/** An append of which parts have come. */
interface Receiving {
  readonly part: AppendPart
  readonly before: Anchor
  readonly drafts: Draft[]
  readonly fresh: Sealed[]
  /** Parts are inserted as they come, until one of their ids turns out to be held. */
  placing: 'at once' | 'when whole'
}

/**
 * Group commit: appends that have come by the time the last transaction ended share the next one.
 * Whoever appended hears of it after the commit, and after the heads were written down.
 *
 * A failure that is not understood is final: nobody can tell any more what the disk holds.
 */
export class Committer {
  readonly #parts: CommitterParts
  #group: Answer[] = []
  #groupEvents = 0
  /** The append whose parts are coming, and what has been made of them. */
  #taking: number | undefined
  #receiving: Receiving | undefined
  #flushed = false
  /** An append that was refused before its last part had come. */
  #refused: number | undefined
  #failed = false
  /** Why the last transaction could not begin. */
  #unbegun: LogError | undefined

  constructor(parts: CommitterParts) {
    this.#parts = parts
  }

  receive(request: CommitRequest): void {
    switch (request.kind) {
      case 'part':
        return this.#failed ? undefined : this.#trying(() => this.#take(request))
      case 'cancel':
        return this.#trying(() => this.#cancel())
      case 'flush':
        this.#flushed = true
        return
      case 'close':
        assert(false, 'Cannot close: whoever holds the committer does')
    }
  }

  get isIdle(): boolean {
    return !this.#failed && !this.#receiving && !this.#parts.writer.inTransaction
  }

  /** False when somebody else holds the file; whatever else is wrong is found with the next part. */
  begins(): boolean {
    const { writer } = this.#parts
    if (this.#failed || writer.inTransaction) return true
    try {
      writer.begin()
    } catch (error) {
      this.#unbegun = storageError('append', error)
      if (this.#unbegun.code !== 'busy') return true
      this.#unbegun = undefined
      return false
    }
    return true
  }

  close(): Failure | null {
    try {
      this.#parts.headsFile.close()
      return null
    } catch (error) {
      return failureOf(storageError('close the log', error))
    } finally {
      this.#parts.writer.close()
    }
  }

  /** Everything that was sent has been received: commits, unless somebody is about to send more. */
  settle(): void {
    if (this.#flushed && !this.#receiving && !this.#failed) this.#trying(() => this.#commit())
  }

  #take(part: AppendPart): void {
    if (part.number === this.#refused) return
    this.#taking = part.number
    const receiving = this.#receiving ?? this.#begin(part)
    if (!receiving) return
    const drafts = draftsIn(part)
    receiving.drafts.push(...drafts)
    if (receiving.placing === 'at once' && !this.#insert(receiving, drafts)) {
      this.#parts.writer.cutBack(part.thread, receiving.before)
      receiving.placing = 'when whole'
    }
    if (part.position === 'first' || part.position === 'between') return
    this.#group.push(this.#answerTo(receiving))
    this.#receiving = undefined
    this.#taking = undefined
    this.#groupEvents += receiving.drafts.length
    if (this.#groupEvents >= GROUP_EVENTS_MAX) this.#commit()
  }

  #begin(part: AppendPart): Receiving | undefined {
    const { writer, suspects } = this.#parts
    const unbegun = this.#unbegun
    this.#unbegun = undefined
    // Even where a transaction is open: the one that holds this fence may be another's by now.
    if (unbegun) throw unbegun
    if (!writer.inTransaction) this.#beginWhenFree()
    const suspect = suspects.get(part.thread)
    if (suspect) {
      this.#refuse(part.number, notAsAnchored(part.thread, suspect))
      return undefined
    }
    const before = writer.head(part.thread)
    const expected = part.expectedVersion ?? before.seq
    const placing = expected === before.seq ? 'at once' : 'when whole'
    this.#receiving = { part, before, drafts: [], fresh: [], placing }
    return this.#receiving
  }

  #beginWhenFree(): void {
    const since = performance.now()
    for (;;) {
      try {
        return this.#parts.writer.begin()
      } catch (error) {
        const failure = storageError('append', error)
        const patience = performance.now() - since < BUSY_WAIT_MAX_MS && this.#parts.wait()
        if (failure.code !== 'busy' || !patience) throw failure
      }
    }
  }

  /** False when one of the ids is held already. */
  #insert({ part, before, fresh }: Receiving, drafts: readonly Draft[]): boolean {
    const sealed: Sealed[] = []
    const head = fresh.at(-1)?.record ?? before
    const insert = (one: Sealed) => sealed.push(one) > 0
    const find = () => undefined
    place(drafts, { thread: part.thread, head, find, insert }, { sha256 })
    fresh.push(...sealed)
    return this.#parts.writer.insertAll(part.thread, sealed)
  }

  #answerTo({ part, before, drafts, fresh, placing }: Receiving): Answer {
    const { number, thread, expectedVersion } = part
    if (placing === 'at once') return appended(number, before, { fresh, records: [] })
    try {
      const options = { sha256, ...(expectedVersion !== null && { expectedVersion }) }
      return appended(number, before, place(drafts, this.#parts.writer.target(thread), options))
    } catch (error) {
      // It was found before anything of this append was inserted, so the others need not fail.
      const conflicts = error instanceof LogError && error.code === 'version_conflict'
      if (conflicts) return { status: 'refused', number, failure: failureOf(error) }
      throw error
    }
  }

  #refuse(number: number, error: LogError): void {
    this.#refused = number
    this.#taking = undefined
    this.#group.push({ status: 'refused', number, failure: failureOf(error) })
  }

  #cancel(): void {
    const receiving = this.#receiving
    if (!receiving) return
    this.#receiving = undefined
    this.#taking = undefined
    this.#parts.writer.cutBack(receiving.part.thread, receiving.before)
  }

  #commit(): void {
    const { writer } = this.#parts
    this.#flushed = false
    if (this.#group.length === 0 && !writer.inTransaction) return
    const moved = writer.commit()
    const failure = this.#anchor(moved)
    this.#answer()
    if (failure) this.#fail(failure)
  }

  /** Before anybody hears of a record, its thread's head stands outside the database. */
  #anchor(moved: ReadonlyMap<string, Anchor>): LogError | undefined {
    try {
      this.#parts.headsFile.add(moved)
      return undefined
    } catch (error) {
      const failure = storageError('write down the heads', error)
      // On a full disk they wait for space, as the appends do.
      return failure.code === 'storage_full' ? undefined : failure
    }
  }

  #answer(): void {
    const answers = this.#group
    this.#group = []
    this.#groupEvents = 0
    if (answers.length > 0) this.#parts.reply({ kind: 'answers', answers })
  }

  #trying(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#giveUp(storageError('append', error))
    }
  }

  /** Refuses the whole group: nothing of it is stored. */
  #giveUp(failure: LogError): void {
    const numbers = new Set(this.#group.map(({ number }) => number))
    if (this.#taking !== undefined) numbers.add(this.#taking)
    this.#refused = this.#taking
    this.#taking = undefined
    this.#receiving = undefined
    this.#group = Array.from(numbers, (number) => ({
      status: 'refused',
      number,
      failure: failureOf(failure),
    }))
    this.#flushed = false
    this.#parts.writer.forget()
    // A disk that failed is left alone: nothing more is tried on it through this connection.
    const unclear = failure.code === 'io' ? undefined : this.#rollBack()
    this.#answer()
    const fatal = failure.code !== 'busy' && failure.code !== 'storage_full'
    if (unclear ?? fatal) this.#fail(unclear ?? failure)
  }

  #rollBack(): LogError | undefined {
    try {
      this.#parts.writer.rollBack()
      return undefined
    } catch (error) {
      return storageError('roll back', error)
    }
  }

  #fail(failure: LogError): void {
    this.#failed = true
    this.#parts.reply({ kind: 'failed', failure: failureOf(failure) })
  }
}

/** All that sealing needs: the events themselves stay where they were drafted. */
function draftsIn({ ids, texts }: AppendPart): Draft[] {
  return ids.map((id, index) => ({ event: { id } as Draft['event'], json: texts[index] ?? '' }))
}

function appended(number: number, before: Anchor, { records, fresh }: Appended): Answer {
  const hashes = fresh.map(({ record }) => record.hash)
  if (records.length === fresh.length || records.length === 0) {
    return { status: 'appended', number, before, hashes, held: null }
  }
  const isNew = new Set<LogRecord>(fresh.map(({ record }) => record))
  const held = records.map((record) => (isNew.has(record) ? null : recordJson(record)))
  return { status: 'appended', number, before, hashes, held }
}

function failureOf({ code, message }: LogError): Failure {
  return { code, message }
}

function notAsAnchored(thread: string, { seq }: Anchor): LogError {
  return new LogError(
    'corrupt',
    `Cannot append to "${thread}": it does not hold the record ${seq} that it is known to have had`,
  )
}
