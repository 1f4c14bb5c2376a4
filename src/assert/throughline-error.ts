/**
 * What a caller of this library can meet: `code` is stable, `message` says what could not be done, why, and the
 * mend. Each area has its own union of codes, such as `LogErrorCode`.
 */
export class ThroughlineError<Code extends string = string> extends Error {
  override readonly name: string = 'ThroughlineError'
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
