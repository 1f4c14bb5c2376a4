import { customValue, isAgentEventType } from '../activity/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { Role, RoleView } from './role.ts'

/**
 * Built in: the bearer of a caller token, who enters the threads that its subject began. An application
 * that declares this role says what callers see.
 */
export const CALLER = 'caller'

/** Which agents a caller may ask, its token says. */
export const CALLER_ROLE: Omit<Role<never>, 'read'> = {
  run: 'all',
  begin: true,
  answer: true,
  cancel: true,
}

/** The records of ours that the view of callers is read off; notes and summaries are for models alone. */
const SHOWN = ['wait_for_input', 'history_reset', 'model_output', 'cancel_requested']

/** The default view of callers: the agents' activity, and nothing of a domain. */
export const CALLER_READS: RoleView<unknown> = {
  record: (record) => (isActivity(record) ? record : undefined),
  state: () => ({}),
}

function isActivity(record: LogRecord): boolean {
  if (record.type !== 'CUSTOM') return isAgentEventType(record.type)
  return SHOWN.some((name) => customValue(record, name) !== undefined)
}
