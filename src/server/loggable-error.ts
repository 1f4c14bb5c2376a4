import { InvariantError } from '../assert/index.ts'
import { LogError } from '../log/index.ts'

/** Causes of causes that are told. */
const CAUSES_MAX = 5

/** Errors whose messages speak of code and storage. Any other may quote what a person or a model wrote. */
const TOLD: readonly (new (...args: never[]) => Error)[] = [
  InvariantError,
  LogError,
  TypeError,
  ReferenceError,
]

/** What a log may hold of an error: what it is and where it came from, not whom it was about. */
export function loggableError(error: unknown, causesLeft = CAUSES_MAX): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack = '', cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return {
    type: name,
    ...code,
    ...(TOLD.some((told) => error instanceof told) ? { message } : {}),
    stack: stack.split('\n').filter((line) => /^\s+at /.test(line)),
    ...(cause === undefined || causesLeft === 0
      ? {}
      : { cause: loggableError(cause, causesLeft - 1) }),
  }
}
