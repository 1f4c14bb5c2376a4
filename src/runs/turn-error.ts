export type TurnErrorCode = 'busy' | 'draining' | 'key_reused'

/** A turn that was not taken on: nothing of it is recorded, and it may be sent again. */
export class TurnError extends Error {
  override readonly name = 'TurnError'
  readonly code: TurnErrorCode

  constructor(code: TurnErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export function keyReused(): TurnError {
  const message = 'Cannot use this Idempotency-Key: it came with another body before'
  return new TurnError('key_reused', message)
}
