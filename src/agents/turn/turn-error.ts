export type TurnErrorCode = 'busy' | 'draining'

/** A turn that was refused: nothing of it is recorded, and it may be sent again. */
export class TurnError extends Error {
  override readonly name = 'TurnError'
  readonly code: TurnErrorCode

  constructor(code: TurnErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
