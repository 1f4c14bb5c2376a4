import { LogError, place } from '../log/index.ts'
import type { Draft, LogRecord, NewEvent, Sealed } from '../log/index.ts'
import type { Answer, AppendPart, CommitRequest } from './commit-messages.ts'

/** Appends, and characters of theirs, that may wait for a commit; the last of them may pass it. */
export const PENDING_APPENDS_MAX = 10_000
export const PENDING_CHARS_MAX = 134_217_728

/** Events that are drafted and sent off at a time, so that the disk is at work during the drafting. */
const PART_EVENTS = 64

export interface Append {
  readonly thread: string
  readonly events: readonly NewEvent[]
  readonly expectedVersion: number | null
}

export interface QueueParts {
  /** @throws {@link LogError} what an unfit event is refused with */
  readonly draft: (thread: string, events: readonly NewEvent[]) => readonly Draft[]
  readonly send: (requests: readonly CommitRequest[]) => void
  /** Hears of what was committed, before its writer does. */
  readonly committed: (thread: string, fresh: readonly Sealed[]) => void
  readonly waiting: (state: 'some' | 'none') => void
  /** Hears once of the failure after which nothing is appended any more. */
  readonly failed: (error: LogError) => void
}

interface Waiting {
  readonly thread: string
  readonly drafts: readonly Draft[]
  readonly chars: number
  readonly outcome: PromiseWithResolvers<readonly LogRecord[]>
}

/** The appends that are on their way to the disk. */
export class AppendQueue {
  readonly #parts: QueueParts
  readonly #waiting = new Map<number, Waiting>()
  /** What goes off at the end of this turn of the event loop: a message costs as much as an append. */
  #outbox: CommitRequest[] = []
  #chars = 0
  #count = 0
  #turn: NodeJS.Immediate | undefined
  #failure: LogError | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  get failed(): boolean {
    return this.#failure !== undefined
  }

  async push(append: Append): Promise<readonly LogRecord[]> {
    const { thread } = append
    if (this.#failure) throw sameAgain(thread, this.#failure)
    if (this.#waiting.size >= PENDING_APPENDS_MAX || this.#chars >= PENDING_CHARS_MAX) {
      throw new LogError('busy', `Cannot append to "${thread}": too much is waiting for the disk`)
    }
    const number = this.#count++
    const drafts = this.#send(number, append)
    if (drafts.length === 0) return []
    const chars = drafts.reduce((sum, { json }) => sum + json.length, 0)
    const outcome = Promise.withResolvers<readonly LogRecord[]>()
    if (this.#waiting.size === 0) this.#parts.waiting('some')
    this.#waiting.set(number, { thread, drafts, chars, outcome })
    this.#chars += chars
    this.#flushSoon()
    return outcome.promise
  }

  answer(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.number)
      if (!waiting) continue
      this.#waiting.delete(answer.number)
      this.#chars -= waiting.chars
      if (answer.status === 'appended') waiting.outcome.resolve(this.#recordsOf(waiting, answer))
      else waiting.outcome.reject(new LogError(answer.failure.code, answer.failure.message))
    }
    if (this.#waiting.size === 0) this.#parts.waiting('none')
  }

  /** Resolves once nobody waits. */
  async drain(): Promise<void> {
    const outcomes = Array.from(this.#waiting.values(), ({ outcome }) => outcome.promise)
    await Promise.allSettled(outcomes)
  }

  /** Refuses what waits and all that comes. */
  fail(error: LogError): void {
    if (this.#failure) return
    this.#failure = error
    clearImmediate(this.#turn)
    for (const { thread, outcome } of this.#waiting.values()) {
      outcome.reject(sameAgain(thread, error))
    }
    this.#waiting.clear()
    this.#outbox = []
    this.#parts.waiting('none')
    this.#parts.failed(error)
  }

  /** Whoever appends in the same turn of the event loop shares the commit. */
  #flushSoon(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined
      this.#outbox.push({ kind: 'flush' })
      this.#post()
    })
  }

  #post(): void {
    const requests = this.#outbox
    this.#outbox = []
    this.#parts.send(requests)
  }

  #send(number: number, { thread, events, expectedVersion }: Append): readonly Draft[] {
    const all: Draft[] = []
    const slices = slicesOf(events)
    try {
      for (const [index, slice] of slices.entries()) {
        const drafts = this.#parts.draft(thread, slice)
        if (drafts.length === 0) continue
        const ids = drafts.map(({ event }) => event.id)
        const texts = drafts.map(({ json }) => json)
        const position = positionOf(index, slices.length)
        this.#outbox.push({ kind: 'part', number, thread, expectedVersion, ids, texts, position })
        // The others of a large append are drafted while this part is written.
        if (position === 'first' || position === 'between') this.#post()
        all.push(...drafts)
      }
      return all
    } catch (error) {
      if (all.length > 0) {
        this.#outbox.push({ kind: 'cancel', number })
        this.#flushSoon()
      }
      throw error
    }
  }

  /** Makes the records that the writing thread has sealed, out of what was drafted here. */
  #recordsOf(
    { thread, drafts }: Waiting,
    { before, hashes, held }: Extract<Answer, { status: 'appended' }>,
  ): readonly LogRecord[] {
    let next = 0
    const insert = () => ++next > 0
    const { records, fresh } = place(
      held ? drafts.filter((_, index) => held[index] === null) : drafts,
      { thread, head: before, find: () => undefined, insert },
      { sha256: () => hashes[next] ?? '' },
    )
    this.#parts.committed(thread, fresh)
    if (!held) return records
    const rest = records.values()
    // A record's own text, or the next of the new ones: there is one for each that is not held.
    return held.map((text) => (text === null ? rest.next().value : JSON.parse(text)) as LogRecord)
  }
}

/** A large append is sent whole: it is not read while it is written, and its size is checked once. */
function slicesOf(events: readonly NewEvent[]): readonly (readonly NewEvent[])[] {
  if (events.length <= PART_EVENTS || events.length > SLICED_EVENTS_MAX) return [events]
  const slices: (readonly NewEvent[])[] = []
  for (let at = 0; at < events.length; at += PART_EVENTS) {
    slices.push(events.slice(at, at + PART_EVENTS))
  }
  return slices
}

const SLICED_EVENTS_MAX = 4_096

function positionOf(index: number, count: number): AppendPart['position'] {
  if (count === 1) return 'only'
  if (index === 0) return 'first'
  return index === count - 1 ? 'last' : 'between'
}

function sameAgain(thread: string, failure: LogError): LogError {
  return new LogError(
    failure.code,
    `Cannot append to "${thread}": the log has failed (${failure.message})`,
    { cause: failure },
  )
}
