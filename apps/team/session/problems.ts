import { ProblemError } from 'throughline/server'
import { MESSAGE_CHARS_MAX, PERMISSION_FAULTS, permissionFault } from '../events/index.ts'
import type { PermissionAnswer, TeamState } from '../events/index.ts'

export function refusalProblem({
  refused,
  detail,
}: {
  readonly refused: string
  readonly detail: string
}): ProblemError {
  if (refused === 'limit')
    return new ProblemError('busy', 429, { detail: `Cannot take this: ${detail}` })
  if (refused === 'precondition') {
    return new ProblemError('session_conflict', 409, { detail: `Cannot do this: ${detail}` })
  }
  return new ProblemError('invalid_body', 400, { detail: `Cannot use this: ${detail}` })
}

/** @throws {@link ProblemError} 409 where a permission cannot be answered so */
export function requireShown(state: TeamState, answer: PermissionAnswer): void {
  const fault = permissionFault(state, answer)
  if (fault === undefined) return
  throw new ProblemError(fault, 409, {
    detail: `Cannot take this answer: ${PERMISSION_FAULTS[fault]}`,
  })
}

/** @throws {@link ProblemError} 400 for a greeting that cannot be recorded */
export function requireLength(greeting: string): void {
  if (greeting.length <= MESSAGE_CHARS_MAX) return
  const why = `transcript and catalogue make ${greeting.length} characters`
  throw new ProblemError('invalid_body', 400, {
    detail: `Cannot start with this: ${why}, at most ${MESSAGE_CHARS_MAX} are allowed`,
  })
}

export function noSession(): ProblemError {
  return new ProblemError('no_session', 409, { detail: 'Cannot do this: no session is open' })
}

export function notSetAside(): ProblemError {
  return new ProblemError('not_found', 404, {
    detail: 'Cannot do this: the message is not set aside',
  })
}

export function noRule(): ProblemError {
  return new ProblemError('not_found', 404, { detail: 'Cannot do this: the rule does not stand' })
}

export function failed(detail: string): ProblemError {
  return new ProblemError('program_failed', 502, { detail })
}
