/** The limits of a run. */
export type LimitCode =
  | 'limit_steps'
  | 'limit_tool_calls'
  | 'limit_tokens'
  | 'limit_day'
  | 'limit_cost'

/** A run that may not go on: its budget is used up. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
  readonly code: LimitCode
  /** When the limit ends by itself, in milliseconds since the epoch. */
  readonly until: number | undefined

  constructor(code: LimitCode, message: string, until?: number) {
    super(message)
    this.code = code
    this.until = until
  }
}
