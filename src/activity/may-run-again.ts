import { membersOf } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { customValue, isAgentEventType } from './agent-event.ts'
import { isDiscarded, isGivenUp } from './discarded-call.ts'

/**
 * Whether a turn that failed may run again in the same turn, from all its records. It may not once a tool
 * call has a result, a sub-agent was started, or a proposal of its model was accepted: it would do that
 * twice. A call that was in flight has a failed result, and its tool may have done its work too. A call of an
 * earlier turn that this one gave up was no work of this turn. A program that was asked may have worked, so it
 * is not asked again, unless it was never reached.
 */
export function mayRunAgain(turn: Iterable<LogRecord>): boolean {
  let asked = 0
  for (const record of turn) {
    if (stands(record)) return false
    if (customValue(record, 'program_asked') !== undefined) asked++
    if (membersOf(customValue(record, 'model_output') ?? null)['unreached'] === true) asked--
  }
  return asked === 0
}

function stands(record: LogRecord): boolean {
  const { type, origin } = record
  if (type === 'TOOL_CALL_RESULT') return !isDiscarded(record) && !isGivenUp(record)
  if (type === 'SUBAGENT_STARTED') return true
  return origin.source === 'model' && type !== 'event_refused' && !isAgentEventType(type)
}
