import { membersOf } from 'throughline/json'
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

export interface TurnAnswer {
  readonly refused: readonly { readonly type: string; readonly reason: string }[]
  readonly seed: string | undefined
  readonly next: 'continue' | 'rest'
  readonly customerLink: string | undefined
}

export function readTurnAnswer(answer: Json): TurnAnswer {
  const { refused, seed, continueTurn, customerLink } = membersOf(answer)
  return {
    refused: Array.isArray(refused) ? refused.map(readRefusal) : [],
    seed: textIn(seed),
    next: continueTurn === true ? 'continue' : 'rest',
    customerLink: textIn(customerLink),
  }
}

function readRefusal(refusal: Json): TurnAnswer['refused'][number] {
  const { type, reason } = membersOf(refusal)
  return { type: textIn(type) ?? '', reason: textIn(reason) ?? '' }
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
