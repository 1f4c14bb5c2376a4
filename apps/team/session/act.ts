/** An event as a person or the server proposes it. */
export interface Act {
  readonly type: string
  readonly data: unknown
  readonly id?: string
}
