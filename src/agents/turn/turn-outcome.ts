import {
  CallerView,
  LastText,
  NO_USAGE_REPORT,
  customValue,
  endsRun,
  foldUsage,
  startsRun,
  turnOf,
} from '../../activity/index.ts'
import { membersOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { CallerEvent } from '../../activity/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { endsTurn } from './agent-turn.ts'
import type { AgentResult } from './agent-turn.ts'

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
  #given: Json | undefined

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
    const given = this.#given === undefined ? {} : { result: this.#given }
    return { run, text, ...given, state, usage, waits: [], ...endingOf(this.#end) }
  }

  #take(record: LogRecord): void {
    const { type, origin } = record
    if (type === 'RUN_STARTED' && this.#end) [this.#end, this.#said] = [undefined, new LastText()]
    if (this.#end) return
    if (type === 'CUSTOM') this.#usage = foldUsage(this.#usage, [record])
    if (origin.depth === 0 && origin.source !== 'ui') this.#said.take(record)
    if (type === 'RUN_FINISHED') this.#given = membersOf(record.data)['result']
    if (mayEnd(record)) this.#end = this.#view.take(record).find(endsTurn)
  }
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
