import type { ProgramSession } from './session.ts'
import type { PermissionAsked, SessionEvent } from './session-event.ts'

/** What a process that has ended has left to the next one of its conversation. */
export interface Left {
  /** What it said that no run has read. */
  readonly said: readonly SessionEvent[]
  /** Its questions that had no answer. */
  readonly asked: ReadonlyMap<string, PermissionAsked>
}

export interface LifeOptions {
  readonly left?: Left | undefined
  readonly isAnew?: boolean
}

/** A session with its one reader, which may stop at an event and go on there in another run. */
export class SessionLife {
  readonly session: ProgramSession
  /** It has begun a new conversation in the place of one that is lost. */
  readonly isAnew: boolean
  /** The questions of the process before that had no answer. */
  readonly askedBefore: ReadonlyMap<string, PermissionAsked>
  /** The questions to a person that have no answer. */
  readonly asked = new Map<string, PermissionAsked>()
  readonly #batches: AsyncGenerator<readonly SessionEvent[], void>
  #events: readonly SessionEvent[]
  #at = 0
  #last: SessionEvent | undefined
  #reading: Promise<IteratorResult<readonly SessionEvent[], void>> | undefined

  constructor(session: ProgramSession, { left, isAnew = false }: LifeOptions = {}) {
    this.session = session
    this.isAnew = isAnew
    this.askedBefore = left?.asked ?? new Map()
    this.#events = left?.said ?? []
    this.#batches = session.events()
  }

  /** The next event; undefined once the process has ended. Rejects when the signal aborts. */
  async next(signal: AbortSignal): Promise<SessionEvent | undefined> {
    while (this.#at >= this.#events.length) {
      this.#reading ??= this.#batches.next()
      const read = await unlessAborted(this.#reading, signal)
      this.#reading = undefined
      if (read.done) return undefined
      this.#events = read.value
      this.#at = 0
    }
    this.#last = this.#events[this.#at++]
    return this.#last
  }

  /** Reads what is left of a process that has ended. */
  async left(): Promise<Left> {
    const said: SessionEvent[] = []
    const never = new AbortController().signal
    for (;;) {
      const event = await this.next(never)
      if (event === undefined) return { said, asked: this.asked }
      if (SAID.has(event.type)) said.push(event)
    }
  }

  /** Ends what a cancelled run has left: by an interrupt, or with the process where tasks go on. */
  async settle(): Promise<void> {
    const never = new AbortController().signal
    this.asked.clear()
    const hasReadAll = this.#last === undefined || this.#last.type === 'idle'
    if (this.session.isIdle && hasReadAll) return
    await this.session.interrupt().catch(() => undefined)
    for (;;) {
      const event = await this.next(never)
      if (event === undefined || event.type === 'idle') return
      const tasksGoOn = event.type === 'turn_ended' && !this.session.isIdle
      if (tasksGoOn) {
        await this.session.stop()
        return
      }
    }
  }
}

const SAID: ReadonlySet<string> = new Set<SessionEvent['type']>(['delta', 'part', 'result_part'])

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
