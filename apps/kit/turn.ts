import type { Json } from 'throughline/client'

export interface DirectEvent {
  readonly type: string
  readonly data: Readonly<Record<string, Json | undefined>>
}

/** A person's events and message in one request; an empty one asks the assistant to continue. */
export interface Turn {
  readonly userMessage?: string
  readonly directEvents?: readonly DirectEvent[]
  readonly isFirstTurn?: true
}
