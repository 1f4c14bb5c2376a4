import type { LogRecord } from '../log/index.ts'
import { isAgentEventType } from './agent-event.ts'
import { isDiscarded } from './discarded-call.ts'

/**
 * Whether a turn that failed may run again in the same turn, from all its records. It may not once a tool
 * call has a result, a sub-agent was started, or a proposal of its model was accepted: it would do that
 * twice. A call that was in flight has a failed result, and its tool may have done its work too.
 */
export function mayRunAgain(turn: Iterable<LogRecord>): boolean {
  for (const record of turn) if (stands(record)) return false
  return true
}

function stands(record: LogRecord): boolean {
  const { type, origin } = record
  if (type === 'TOOL_CALL_RESULT') return !isDiscarded(record)
  if (type === 'SUBAGENT_STARTED') return true
  return origin.source === 'model' && type !== 'event_refused' && !isAgentEventType(type)
}
