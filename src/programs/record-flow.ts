import { membersOf, textOf } from '../json/index.ts'
import type { NewEvent } from '../log/index.ts'
import { COALESCE_MAX_CHARS, COALESCE_MAX_MS } from '../step/index.ts'

/** Characters that may wait for the log before the program has to wait too. */
const REMOTE_WAITING_CHARS_MAX = 262_144
/** Events of one append. */
const REMOTE_BATCH_EVENTS_MAX = 200

/**
 * Appends a program's records in order, with neighbouring deltas of one item joined, and does other work
 * between the appends. Appends follow one another; the first that fails ends the flow.
 */
export class RecordFlow {
  readonly #append: (events: readonly NewEvent[]) => Promise<unknown>
  readonly #waiting: NewEvent[] = []
  #chars = 0
  #inFlight = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #appends: Promise<unknown> = Promise.resolve()
  #due: (() => Promise<unknown>) | undefined
  #flushedAt = Number.NEGATIVE_INFINITY
  #failure: { readonly error: unknown } | undefined

  constructor(append: (events: readonly NewEvent[]) => Promise<unknown>) {
    this.#append = append
  }

  /** @throws whatever an earlier append failed with */
  put(event: NewEvent): void {
    if (this.#failure) throw this.#failure.error
    const last = this.#waiting.at(-1)
    const joined = last && joinedDelta(last, event)
    if (joined) this.#waiting[this.#waiting.length - 1] = joined
    else this.#waiting.push(event)
    this.#chars += textOf(event.data, 'delta').length
    const isFull =
      this.#chars >= COALESCE_MAX_CHARS || this.#waiting.length >= REMOTE_BATCH_EVENTS_MAX
    if (isFull) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), this.#delayMs)
  }

  /** The first text after a pause is shown at once. */
  get #delayMs(): number {
    return performance.now() - this.#flushedAt < COALESCE_MAX_MS ? COALESCE_MAX_MS : 0
  }

  /** Does some work after the next append. Work that has not begun yet gives way to newer work. */
  afterAppend(work: () => Promise<unknown>): void {
    if (this.#failure) throw this.#failure.error
    this.#due = work
    this.#timer ??= setTimeout(() => this.#flush(), this.#delayMs)
  }

  /** Waits while too much is on its way to the log. */
  async room(): Promise<void> {
    if (this.#inFlight > REMOTE_WAITING_CHARS_MAX) await this.#appends
  }

  /** Resolves, once all earlier events are durable, with the events that are still to append. */
  async end(): Promise<readonly NewEvent[]> {
    clearTimeout(this.#timer)
    if (this.#due) this.#flush()
    await this.#appends
    if (this.#failure) throw this.#failure.error
    return this.#waiting.splice(0)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushedAt = performance.now()
    if (this.#waiting.length === 0 && !this.#due) return
    const events = this.#waiting.splice(0)
    const work = this.#due
    this.#due = undefined
    const chars = this.#chars
    this.#chars = 0
    this.#inFlight += chars
    this.#appends = this.#appends
      .then(async () => {
        if (this.#failure) return
        if (events.length > 0) await this.#append(events)
        await work?.()
      })
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#inFlight -= chars
      })
  }
}

const JOINED: ReadonlySet<string> = new Set([
  'TEXT_MESSAGE_CONTENT',
  'TOOL_CALL_ARGS',
  'REASONING_MESSAGE_CONTENT',
])

function joinedDelta(before: NewEvent, event: NewEvent): NewEvent | undefined {
  if (before.type !== event.type || !JOINED.has(event.type)) return undefined
  // Each keeps what its program's framework said.
  if ([before, event].some(({ data }) => membersOf(data)['rawEvent'] !== undefined))
    return undefined
  const isSame = ['messageId', 'toolCallId'].every(
    (key) => textOf(before.data, key) === textOf(event.data, key),
  )
  const delta = textOf(before.data, 'delta') + textOf(event.data, 'delta')
  if (!isSame || delta.length > COALESCE_MAX_CHARS) return undefined
  // Both were made with a delta.
  return { ...event, data: { ...(event.data as object), delta } }
}
