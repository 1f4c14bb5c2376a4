/** The right to work on a thread, for as long as its signal is not aborted. */
export interface Held {
  readonly fence: number
  readonly signal: AbortSignal
  done(): void
}
