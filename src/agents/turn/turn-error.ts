import { ThroughlineError } from '../../assert/index.ts'

export type TurnErrorCode = 'busy' | 'draining'

/** A turn that was refused: nothing of it is recorded, and it may be sent again. */
export class TurnError extends ThroughlineError<TurnErrorCode> {
  override readonly name = 'TurnError'
}
