import { InvariantError } from '../../assert/index.ts'
import { LogError } from '../../log/index.ts'
import { AuthenticateError } from './problem.ts'

/** Causes of causes that are logged. */
const CAUSES_MAX = 5

/** Errors whose messages speak of code and storage. Any other may quote what a person or a model wrote. */
const ERRORS_WITH_SAFE_MESSAGES: readonly (new (...args: never[]) => Error)[] = [
  InvariantError,
  LogError,
  AuthenticateError,
  TypeError,
  ReferenceError,
]

/** Returns the loggable part of an error: its kind, code and place, without text of a person or a model. */
export function loggableError(error: unknown, causesLeft = CAUSES_MAX): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack = '', cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return {
    type: name,
    ...code,
    ...(ERRORS_WITH_SAFE_MESSAGES.some((kind) => error instanceof kind) ? { message } : {}),
    stack: stack.split('\n').filter((line) => /^\s+at /.test(line)),
    ...(cause === undefined || causesLeft === 0
      ? {}
      : { cause: loggableError(cause, causesLeft - 1) }),
  }
}
