import { thrownMessage } from '../../json/index.ts'
import { LogError } from '../../log/index.ts'
import type { LogErrorCode } from '../../log/index.ts'

/** SQLSTATE codes, https://www.postgresql.org/docs/15/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505'
const INSUFFICIENT_PRIVILEGE = '42501'

const CODES: Readonly<Record<string, LogErrorCode>> = {
  '53100': 'storage_full',
  '53200': 'busy',
  '53300': 'busy',
  '53400': 'busy',
  '55P03': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '25006': 'unavailable',
  [INSUFFICIENT_PRIVILEGE]: 'configuration',
  '3D000': 'configuration',
  '3F000': 'configuration',
  '42P01': 'configuration',
  '42703': 'configuration',
  XX001: 'corrupt',
  XX002: 'corrupt',
}

/** A pooler has refused our settings, or given our session to somebody else. */
const POOLER_STATES: ReadonlySet<string> = new Set(['26000', '42P05'])
const REFUSED_SETTING = 'unsupported startup parameter'

/** How to open a log behind a pooler that keeps no sessions. */
export const POOLER_MEND =
  'behind a pooler such as PgBouncer, add "?wakeups=poll" to the address of the database'

/** Classes of states that leave the outcome of a statement unknown: the connection ends. */
const LOST_CLASSES: ReadonlySet<string> = new Set(['08', '57'])
const AUTHORISATION_CLASS = '28'

/** The meaning of a failure of the database for the log; an unknown answer of it is `io`. */
export function postgresError(action: string, cause: unknown): LogError {
  if (cause instanceof LogError) return cause
  const state = sqlStateOf(cause) ?? ''
  const said = messageOf(cause)
  const isPooler = POOLER_STATES.has(state) || said.includes(REFUSED_SETTING)
  const isRefused = isPooler || state.startsWith(AUTHORISATION_CLASS)
  const code = isRefused ? 'configuration' : (CODES[state] ?? otherwise(cause))
  const mend = isPooler ? `; ${POOLER_MEND}` : ''
  return new LogError(code, `Cannot ${action}: ${said}${mend}`, { cause })
}

function otherwise(cause: unknown): LogErrorCode {
  return isConnectionLoss(cause) ? 'unavailable' : 'io'
}

/** Whether the database did not answer: it may have done what it was asked, or may still do it. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof LogError) return false
  const state = sqlStateOf(error)
  return state === undefined || LOST_CLASSES.has(state.slice(0, 2))
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION
}

/** Whether the user of the connection lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return sqlStateOf(error) === INSUFFICIENT_PRIVILEGE
}

/** Does work on the database and rejects with what its failure means. */
export async function reportingAs<Result>(
  action: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw postgresError(action, error)
  }
}

/** The state that the database answered with; errors of a socket have a code too, but no severity. */
function sqlStateOf(error: unknown): string | undefined {
  const isAnswer = error instanceof Error && 'severity' in error && 'code' in error
  return isAnswer ? String(error.code) : undefined
}

function messageOf(cause: unknown): string {
  // One error for all addresses of a host name that were tried.
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ')
  return thrownMessage(cause)
}
