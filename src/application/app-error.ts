export type ApplicationErrorCode =
  /** The definition of an application cannot work as it is. */
  | 'invalid_app'
  /** Two applications would both take a thread, or an agent, for theirs. */
  | 'ambiguous_app'
  /** No application is called like that. */
  | 'unknown_app'
  /** Nobody outside may propose with this source. */
  | 'unknown_source'
  /** An application has no such role. */
  | 'unknown_role'
  /** No application takes the thread for its own. */
  | 'unknown_thread'
  /** Anybody could act as the operator. */
  | 'open_to_all'
  /** What an application declares a role may see threw. */
  | 'view_failed'
  /** A function of an application's index threw, or returned what threads cannot be found by. */
  | 'index_failed'
  /** The list of threads cannot be asked like that. */
  | 'invalid_query'

/** An application that is not defined well, or not as it is used. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError'
  readonly code: ApplicationErrorCode

  constructor(code: ApplicationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
