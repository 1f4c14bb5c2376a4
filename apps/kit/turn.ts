import type { Json } from 'throughline/json'

export interface DirectEvent {
  readonly type: string
  readonly data: Readonly<Record<string, Json | undefined>>
}

/** What a person does in one go; without anything in it the assistant is asked to go on. */
export interface Turn {
  readonly userMessage?: string
  readonly directEvents?: readonly DirectEvent[]
  readonly isFirstTurn?: true
}
