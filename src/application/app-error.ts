import { ThroughlineError } from '../assert/index.ts'
import { isPromise, thrownMessage } from '../json/index.ts'

export type ApplicationErrorCode =
  /** The definition of an application cannot work as it is. */
  | 'invalid_app'
  /** Two applications would both take a thread, or an agent, for theirs. */
  | 'ambiguous_app'
  /** There is no application with this name. */
  | 'unknown_app'
  /** This source is reserved: callers may not propose with it. */
  | 'unknown_source'
  /** An application has no such role. */
  | 'unknown_role'
  /** No application takes the thread for its own. */
  | 'unknown_thread'
  /** The application's view for a role threw. */
  | 'view_failed'
  /** A function of an application's index threw, or returned what threads cannot be found by. */
  | 'index_failed'
  /** `retain` of an application threw, or returned a promise. */
  | 'retain_failed'
  /** The state of a thread, as it was kept, was not what its records give. */
  | 'fold_differs'
  /** An event type has another schema than the store keeps for its version. */
  | 'schema_changed'
  /** The application of a thread does not declare that its threads can be erased. */
  | 'not_erasable'
  /** The list of threads cannot be asked like that. */
  | 'invalid_query'

/** An application that is not defined well, or is asked for what it has not. */
export class ApplicationError extends ThroughlineError<ApplicationErrorCode> {
  override readonly name = 'ApplicationError'
}

/**
 * Calls a function that an application declares.
 *
 * @throws {@link ApplicationError} that names the function by `subject` and quotes the error; also when the
 *   function returns a promise, which may reject later
 */
export function callDeclared<Result>(
  code: 'view_failed' | 'index_failed' | 'retain_failed',
  subject: () => string,
  declared: () => Result,
): Result {
  let result: Result
  try {
    result = declared()
  } catch (error) {
    const message = `${subject()} threw: ${thrownMessage(error)}`
    throw new ApplicationError(code, message, { cause: error })
  }
  if (!isPromise(result)) return result
  throw new ApplicationError(code, `${subject()} returned a promise: it must answer at once`)
}

export function noAgent(name: string): ApplicationError {
  return new ApplicationError('unknown_app', `Cannot ask "${name}": no application has this agent`)
}

export function unknownThread(message: string): ApplicationError {
  return new ApplicationError('unknown_thread', message)
}

export function notErasable(thread: string): ApplicationError {
  const message = `Cannot erase thread "${thread}": no application is defined as \`erasable\``
  return new ApplicationError('not_erasable', message)
}
