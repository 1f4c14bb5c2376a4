import { setTimeout } from 'node:timers/promises'
import { LogError } from '../../log/index.ts'
import type { AppendOptions, Draft, LogRecord, NewEvent, Sealed } from '../../log/index.ts'
import type { Committed } from './committer.ts'
import type { DraftedAppend, Outcome } from './drafted-append.ts'
import { storageError } from '../files/storage-error.ts'

/** Appends, and characters of theirs, that may wait for a commit; the last of them may pass it. */
export const PENDING_APPENDS_MAX = 10_000
export const PENDING_CHARS_MAX = 134_217_728
/** Events after which one transaction takes no further append. */
export const GROUP_EVENTS_MAX = 4_096
/** The time and the pauses of retries on a file that another process holds. */
export const BUSY_WAIT_MAX_MS = 5_000
const BUSY_RETRY_MS = 5

export interface QueuedAppend extends DraftedAppend {
  readonly fence: number | undefined
}

export interface QueueParts {
  /** @throws {@link LogError} what an unfit event is refused with */
  readonly draft: (thread: string, events: readonly NewEvent[]) => readonly Draft[]
  /** Returns the refusal of an append under a stale fence; a stale fence never becomes current again. */
  readonly refusal: (thread: string, fence: number | undefined) => LogError | undefined
  /** Rejects when the committer has failed for good. */
  readonly commit: (group: readonly QueuedAppend[]) => Promise<Committed>
  /** Gets each committed batch, before its writer does. */
  readonly committed: (thread: string, fresh: readonly Sealed[]) => void
  /** Hears once of the failure after which nothing is appended any more. */
  readonly failed: (error: LogError) => void
}

interface Waiting extends QueuedAppend {
  readonly chars: number
  readonly resolve: (records: readonly LogRecord[]) => void
  readonly reject: (error: LogError) => void
}

/**
 * Group commit: appends of one turn of the event loop share a transaction, and so do those that come
 * while the last one is on its way to the disk.
 */
export class AppendQueue {
  readonly #parts: QueueParts
  /** In the order of the calls; those that are being committed stand first. */
  readonly #waiting: Waiting[] = []
  #chars = 0
  /** Set from the first append that waits to the last commit. */
  #turn: NodeJS.Immediate | undefined
  #group: readonly Waiting[] = []
  #failure: LogError | undefined
  #drained: PromiseWithResolvers<void> | undefined
  #committing: Promise<void> | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  get failed(): boolean {
    return this.#failure !== undefined
  }

  /** @throws {@link LogError} */
  push(
    thread: string,
    events: readonly NewEvent[],
    options: AppendOptions,
  ): Promise<readonly LogRecord[]> {
    if (this.#failure) throw sameAgain(thread, this.#failure)
    if (this.#waiting.length >= PENDING_APPENDS_MAX || this.#chars >= PENDING_CHARS_MAX) {
      throw new LogError('busy', `Cannot append to "${thread}": too much is waiting for the disk`)
    }
    const drafts = this.#parts.draft(thread, events)
    if (drafts.length === 0) return Promise.resolve([])
    const chars = drafts.reduce((sum, { json }) => sum + json.length, 0)
    this.#chars += chars
    const { expectedVersion = null, fence } = options
    return new Promise((resolve, reject) => {
      this.#waiting.push({ thread, drafts, expectedVersion, fence, chars, resolve, reject })
      this.#turn ??= this.#nextTurn()
    })
  }

  /** Resolves once the group that is being committed now has been acknowledged or refused. */
  async settled(): Promise<void> {
    await this.#committing
  }

  /** Resolves once no append under a fence of this thread is being committed; nothing if none is. */
  committingUnder(thread: string): Promise<void> | undefined {
    const isUnder = (each: Waiting) => each.thread === thread && each.fence !== undefined
    return this.#group.some(isUnder) ? this.#committing : undefined
  }

  /** Resolves once no append waits. A file that another process holds is waited for no longer. */
  async drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>()
    if (!this.#turn) this.#drained.resolve()
    return this.#drained.promise
  }

  #nextTurn(): NodeJS.Immediate {
    return setImmediate(() => {
      this.#committing = this.#commitGroup()
    })
  }

  async #commitGroup(): Promise<void> {
    this.#refuseStale()
    // Until the group has settled, a release of one of its leases waits: see `committingUnder`.
    const group = this.#nextGroup()
    this.#group = group
    try {
      if (group.length > 0) this.#settle(group, await this.#commitWhenFree(group))
    } catch (error) {
      this.#fail(storageError('append', error))
    }
    this.#group = []
    // Everybody else gets a turn between two commits.
    this.#turn = this.#waiting.length > 0 ? this.#nextTurn() : undefined
    if (!this.#turn) this.#drained?.resolve()
  }

  #refuseStale(): void {
    for (const waiting of this.#waiting.filter(({ fence }) => fence !== undefined)) {
      const refusal = this.#parts.refusal(waiting.thread, waiting.fence)
      if (!refusal) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      this.#chars -= waiting.chars
      waiting.reject(refusal)
    }
  }

  #nextGroup(): readonly Waiting[] {
    let events = 0
    const end = this.#waiting.findIndex(({ drafts }) => {
      events += drafts.length
      return events >= GROUP_EVENTS_MAX
    })
    return end === -1 ? [...this.#waiting] : this.#waiting.slice(0, end + 1)
  }

  async #commitWhenFree(group: readonly QueuedAppend[]): Promise<Committed> {
    const since = performance.now()
    for (;;) {
      const committed = await this.#parts.commit(group)
      const isBusy = committed.status === 'refused' && committed.refusal.code === 'busy'
      const patience = !this.#drained && performance.now() - since < BUSY_WAIT_MAX_MS
      if (!isBusy || !patience) return committed
      await setTimeout(BUSY_RETRY_MS)
    }
  }

  #settle(group: readonly Waiting[], committed: Committed): void {
    this.#waiting.splice(0, group.length)
    for (const [index, waiting] of group.entries()) {
      this.#chars -= waiting.chars
      const outcome = committed.status === 'refused' ? committed.refusal : committed.outcomes[index]
      if (outcome) this.#tell(waiting, outcome)
    }
    if (committed.failure) this.#fail(committed.failure)
  }

  #tell({ thread, resolve, reject }: Waiting, outcome: Outcome): void {
    if (outcome instanceof LogError) return reject(outcome)
    this.#parts.committed(thread, outcome.fresh)
    resolve(outcome.records)
  }

  /** Refuses what waits and all that comes. */
  #fail(failure: LogError): void {
    this.#failure = failure
    for (const { thread, reject } of this.#waiting.splice(0)) reject(sameAgain(thread, failure))
    this.#chars = 0
    // The waiting appends are answered first.
    setImmediate(() => this.#parts.failed(failure))
  }
}

function sameAgain(thread: string, failure: LogError): LogError {
  return new LogError(
    failure.code,
    `Cannot append to "${thread}": the log has failed (${failure.message})`,
    { cause: failure },
  )
}
