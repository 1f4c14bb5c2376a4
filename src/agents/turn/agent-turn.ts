import { CallerView } from '../../activity/index.ts'
import type { CallerEvent } from '../../activity/index.ts'
import type { Json } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { AgentError } from '../define/agent-error.ts'
import { inBackground } from '../../platform/index.ts'
import { endsTurn } from '../scope/turn-outcome.ts'
import type { AgentResult } from '../scope/turn-outcome.ts'

export interface AgentTurnParts<State, Output = Json | undefined> {
  readonly log: EventLog
  readonly thread: string
  readonly run: string
  /** Resolves once the turn's start is on record. */
  readonly started: Promise<TurnStart>
  /** Resolves once its end is on record. */
  readonly result: Promise<AgentResult<State, Output>>
}

export interface TurnStart {
  /** The seq of the turn's first record. */
  readonly seq: number
  /** The first record that its events refer to, when that is before its start. */
  readonly refersTo?: number | undefined
}

/**
 * A turn of agents. Iterating gives its events, live and from the log, from the turn's start to its
 * end, as often as it is asked for; `result` is its outcome.
 */
export class AgentTurn<
  State,
  Output = Json | undefined,
  Event = CallerEvent,
> implements AsyncIterable<Event> {
  readonly run: string
  readonly #started: Promise<void>
  /** Whether anything waits for the turn: then that learns of its rejection. */
  #isObserved = false
  readonly #parts: AgentTurnParts<State, Output>

  /** A turn that another part of the program has yet to begin. */
  static awaiting<State>(
    place: Pick<AgentTurnParts<State>, 'log' | 'thread' | 'run'>,
    turn: Promise<AgentTurn<State>>,
  ): AgentTurn<State> {
    const started = turn.then((begun) => begun.#parts.started)
    return new AgentTurn({ ...place, started, result: turn.then(({ result }) => result) })
  }

  constructor(parts: AgentTurnParts<State, Output>) {
    this.#parts = parts
    this.run = parts.run
    this.#started = parts.started.then(() => undefined)
    // A rejection reaches each promise that is awaited; the others need no handler.
    this.#started.catch(() => undefined)
    parts.result.catch((error: unknown) => {
      // A misspelt agent leaves nothing on record: without this, nothing would ever tell.
      if (!this.#isObserved && error instanceof AgentError && error.code === 'unknown_agent')
        throw error
    })
  }

  /** Resolves once the input is on record; rejects when the turn is refused. */
  get started(): Promise<void> {
    this.#isObserved = true
    return this.#started
  }

  get result(): Promise<AgentResult<State, Output>> {
    this.#isObserved = true
    return this.#parts.result
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event, undefined> {
    this.#isObserved = true
    // What is on record has the types of the application that recorded it.
    return new TurnEvents(this.#parts) as AsyncIterableIterator<Event, undefined>
  }
}

type Step = IteratorResult<CallerEvent, undefined>

/** One reading of a turn. Not a generator: that would wait three ticks more for each event. */
class TurnEvents implements AsyncIterableIterator<CallerEvent, undefined> {
  readonly #parts: AgentTurnParts<unknown, unknown>
  readonly #view = new CallerView()
  #records: AsyncIterator<readonly LogRecord[]> | undefined
  #events: readonly CallerEvent[] = []
  #next = 0
  #ended = false
  /** The step that waits for records; those that are asked for after it come after it. */
  #waiting: Promise<Step> | undefined

  constructor(parts: AgentTurnParts<unknown, unknown>) {
    this.#parts = parts
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Step> {
    if (this.#waiting) return this.#waiting.then(() => this.next())
    const step = this.#step()
    if (step) return Promise.resolve(step)
    this.#waiting = this.#wait()
    return this.#waiting
  }

  async return(): Promise<Step> {
    this.#ended = true
    await this.#records?.return?.()
    return DONE
  }

  #step(): Step | undefined {
    if (this.#ended) return DONE
    const value = this.#events[this.#next++]
    if (!value) return undefined
    if (endsTurn(value)) inBackground(this.return())
    return { done: false, value }
  }

  async #wait(): Promise<Step> {
    try {
      this.#records ??= await this.#begin()
      for (;;) {
        const { done, value } = await this.#records.next()
        if (done && !this.#ended) await this.#parts.result
        if (done) return DONE
        this.#events = value.flatMap((record) => this.#eventsOf(record))
        this.#next = 0
        const step = this.#step()
        if (step) return step
      }
    } catch (error) {
      this.#ended = true
      throw error
    } finally {
      this.#waiting = undefined
    }
  }

  async #begin(): Promise<AsyncIterator<readonly LogRecord[]>> {
    const { log, thread, started, result } = this.#parts
    const { seq: from, refersTo: primed = from } = await started
    if (primed < from) {
      for await (const records of log.read(thread, { after: primed - 1, limit: from - primed })) {
        for (const record of records) this.#view.take(record)
      }
    }
    const records = log.subscribe(thread, { after: from - 1 })
    // A reader that has left meanwhile must not stay subscribed.
    if (this.#ended) await records.return?.()
    // A turn that dies without an end on record would leave its readers waiting.
    result.catch(() => inBackground(records.return?.()))
    return records
  }

  /** Returns the caller's events of a record of this turn, derived events included. */
  #eventsOf(record: LogRecord): readonly CallerEvent[] {
    const events = this.#view.take(record)
    const { turn, source } = record.origin
    return turn === this.#parts.run || source === 'rule' ? events : []
  }
}

const DONE: Step = Object.freeze({ done: true, value: undefined })
