import { ThroughlineError } from '../assert/index.ts'

export type LogErrorCode =
  | 'version_conflict'
  | 'fenced'
  | 'invalid_event'
  | 'too_large'
  | 'busy'
  | 'in_doubt'
  | 'storage_full'
  | 'unavailable'
  | 'io'
  | 'locked'
  | 'corrupt'
  | 'configuration'
  | 'closed'
  | 'erased'

/**
 * The log could not do it; nothing of the failed append is stored. Only after `in_doubt` it
 * may be: the same append, with ids of its own, asks again without storing anything twice.
 */
export class LogError extends ThroughlineError<LogErrorCode> {
  override readonly name = 'LogError'
}

/** Faults of a store that may pass: a full disk, a database that is away, read-only or overloaded. */
const PASSING: ReadonlySet<unknown> = new Set<LogErrorCode>([
  'busy',
  'in_doubt',
  'storage_full',
  'unavailable',
])

/** Whether the same append may succeed later; after any other error it fails again. */
export function mayPass(error: unknown): boolean {
  return error instanceof LogError && PASSING.has(error.code)
}

export function invalidEvent(state: string): LogError {
  return new LogError('invalid_event', `Cannot append the event: ${state}`)
}

/** The refusal of what would go on in a thread whose person was erased. */
export function erasedThread(thread: string): LogError {
  const why = 'its person was erased, and it takes nothing new; begin another thread'
  return new LogError('erased', `Cannot write to "${thread}": ${why}`)
}

const QUOTED_CHARS_MAX = 60

/** A value for a message, cut short: it came from outside. */
export function quote(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return `of type ${typeof value}`
  const text = JSON.stringify(value)
  return text.length <= QUOTED_CHARS_MAX ? text : `${text.slice(0, QUOTED_CHARS_MAX)}…"`
}
