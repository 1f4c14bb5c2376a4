import { ProblemError } from 'throughline/server'

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

export function noSession(): ProblemError {
  return new ProblemError('no_session', 409, { detail: 'Cannot do this: no session is open' })
}

export function failed(detail: string): ProblemError {
  return new ProblemError('program_failed', 502, { detail })
}
