import {
  CallerView,
  LastText,
  NO_USAGE_REPORT,
  customValue,
  endsRun,
  foldUsage,
  ourMetadata,
  startsRun,
  turnOf,
} from '../../activity/index.ts'
import { membersOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { CallerEvent, UsageReport, Wait } from '../../activity/index.ts'
import type { LogRecord } from '../../log/index.ts'

/** Why a turn ended: `interrupt` when it waits for values or for the caller's own tools. */
export type TurnReason = 'success' | 'interrupt' | 'cancelled' | 'limit' | 'error'

/** The outcome of a turn, from its records. */
export interface AgentResult<State, Output = Json | undefined> {
  /** The id of the turn's first run. */
  readonly run: string
  readonly reason: TurnReason
  /** The last text of the last agent of the conversation. */
  readonly text: string
  /** What an agent on another server gave as the result of its run, besides its text. */
  readonly result?: Json
  /** The checked answer of the agent that ended the turn, where it declares an `output`. */
  readonly output?: Output
  /** The state of the thread's domain when the turn had ended. */
  readonly state: State
  readonly usage: UsageReport
  /** The questions that it waits for. */
  readonly waits: readonly Wait[]
  readonly error?: { readonly code: string; readonly message: string }
  /** The model wrote as much as one call may, so the text has no end. */
  readonly cut?: 'length'
}

/**
 * The outcome of a turn: read from its records, as they are appended or from the log at any time later, so
 * that a turn that is asked for twice answers twice. A turn that failed may run again: its last run counts.
 */
export class TurnOutcome {
  readonly #run: string
  readonly #view = new CallerView()
  #usage = NO_USAGE_REPORT
  #end: CallerEvent | undefined
  /** At depth 0. */
  #said = new LastText()
  #given: Pick<AgentResult<never>, 'result' | 'output'> | undefined

  constructor(run: string) {
    this.#run = run
  }

  /** Takes records of the thread, in their order; those of other turns are left out. */
  take(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (turnOf(record) === this.#run) this.#take(record)
    }
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  result<State>(state: State): AgentResult<State> {
    const [run, text, usage] = [this.#run, this.#said.text, this.#usage]
    const given = this.#given ?? {}
    return { run, text, ...given, state, usage, waits: [], ...endingOf(this.#end) }
  }

  #take(record: LogRecord): void {
    const { type, origin } = record
    if (type === 'RUN_STARTED' && this.#end) [this.#end, this.#said] = [undefined, new LastText()]
    if (this.#end) return
    if (type === 'CUSTOM') this.#usage = foldUsage(this.#usage, [record])
    if (origin.depth === 0 && origin.source !== 'ui') this.#said.take(record)
    if (type === 'RUN_FINISHED') this.#given = givenBy(membersOf(record.data))
    if (mayEnd(record)) this.#end = this.#view.take(record).find(endsTurn)
  }
}

function givenBy(data: JsonObject) {
  const { result } = data
  if (result === undefined) return undefined
  const { hasOutput } = ourMetadata(data)
  return { result, ...(hasOutput === true && { output: result }) }
}

/** Whether a record ends the turn, or is one that its end refers to: the questions of its runs. */
function mayEnd(record: LogRecord): boolean {
  return startsRun(record) || endsRun(record) || customValue(record, 'wait_for_input') !== undefined
}

type Ending = Pick<AgentResult<never>, 'reason'> & Partial<AgentResult<never>>

function endingOf(end: CallerEvent | undefined): Ending {
  if (end?.type === 'turn_cancelled') return { reason: 'cancelled' }
  if (end?.type === 'wait_for_input') return { reason: 'interrupt', waits: end.waits }
  if (end?.type === 'turn_end') {
    const { reason, error, cut } = end
    return {
      reason: reason === 'error' || reason === 'limit' ? reason : 'success',
      ...(error ? { error } : {}),
      ...(cut ? { cut } : {}),
    }
  }
  return {
    reason: 'error',
    error: { code: 'interrupted', message: 'The turn has no end on record' },
  }
}

/** Whether nothing more of a turn follows. */
export function endsTurn(event: CallerEvent): boolean {
  if (event.depth > 0) return false
  if (event.type === 'turn_end') return event.reason !== 'handoff'
  return event.type === 'turn_cancelled' || event.type === 'wait_for_input'
}
