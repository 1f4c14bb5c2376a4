import { CallerView } from '../agui/index.ts'
import type { CallerEvent, UsageReport, Wait } from '../agui/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'

/** Why a turn ended: `interrupt` when it waits for values or for the caller's own tools. */
export type TurnReason = 'success' | 'interrupt' | 'cancelled' | 'limit' | 'error'

/** What a turn came to: read off its records. */
export interface AgentResult<State> {
  /** The id of the turn's first run. */
  readonly run: string
  readonly reason: TurnReason
  /** What the agent that had the conversation last said last. */
  readonly text: string
  /** The state of the thread's domain when the turn had ended. */
  readonly state: State
  readonly usage: UsageReport
  /** What it waits for, when it does. */
  readonly waits: readonly Wait[]
  readonly error?: { readonly code: string; readonly message: string }
}

export interface AgentTurnParts<State> {
  readonly log: EventLog
  readonly thread: string
  readonly run: string
  /** Resolves with the seq to read from once the turn's start is on record. */
  readonly started: Promise<number>
  /** Resolves once its end is on record. */
  readonly result: Promise<AgentResult<State>>
  /** The first record that its events refer to, when that is before its start. */
  readonly refersTo: () => number | undefined
}

/**
 * A turn of agents. Iterating gives what they do, live and from the log, from the turn's start to its
 * end, as often as it is asked for; `result` is what it came to.
 */
export class AgentTurn<State> implements AsyncIterable<CallerEvent> {
  readonly run: string
  /** Resolves once the input is on record; rejects when the turn is not taken on. */
  readonly started: Promise<void>
  readonly result: Promise<AgentResult<State>>
  readonly #parts: AgentTurnParts<State>

  constructor(parts: AgentTurnParts<State>) {
    this.#parts = parts
    this.run = parts.run
    this.started = parts.started.then(() => undefined)
    this.result = parts.result
    // Whoever awaits one of them is told; nobody needs to await them all.
    for (const promise of [this.started, this.result]) promise.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CallerEvent, void, undefined> {
    const { log, thread, started, result, refersTo } = this.#parts
    const from = await started
    const view = new CallerView()
    const primed = refersTo() ?? from
    if (primed < from) {
      for await (const records of log.read(thread, { after: primed - 1, limit: from - primed })) {
        for (const record of records) view.take(record)
      }
    }
    const records = log.subscribe(thread, { after: from - 1 })
    // A turn that dies without an end on record would leave its readers waiting.
    result.catch(() => void records.return?.())
    for await (const batch of records) {
      const events = batch.flatMap((record) => this.#eventsOf(view, record))
      // Not delegated: an async generator awaits each value of a plain list three times.
      for (const event of events) {
        yield event
        if (endsTurn(event)) return
      }
    }
    await result
  }

  /** Those of this turn, with what the rules made of them. */
  #eventsOf(view: CallerView, record: LogRecord): readonly CallerEvent[] {
    const events = view.take(record)
    return record.origin.turn === this.run || record.origin.source === 'rule' ? events : []
  }
}

/** Whether nothing more of a turn follows. */
export function endsTurn(event: CallerEvent): boolean {
  if (event.depth > 0) return false
  if (event.type === 'turn_end') return event.reason !== 'handoff'
  return event.type === 'turn_cancelled' || event.type === 'wait_for_input'
}
