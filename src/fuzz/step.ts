import type { Source } from '../log/index.ts'

/** A proposal of somebody who is no agent: the first of these that the state accepts, or else the first. */
export interface EventStep {
  readonly kind: 'event'
  readonly choices: readonly Outside[]
}

export interface Outside extends Proposed {
  readonly source: Exclude<Source, 'model' | 'rule'>
  readonly surface?: string
}

/** The records of a stored thread, up to a share of them. */
export interface StoredStep {
  readonly kind: 'stored'
  readonly thread: number
  readonly share: number
}

/** A turn of an agent whose model writes whatever it likes. */
export interface TurnStep {
  readonly kind: 'turn'
  readonly agent: string
  readonly said: string
  /** What each call of the model answers. */
  readonly answers: readonly (readonly Piece[])[]
  /** Characters of one streamed part. */
  readonly chunk: number
}

/** A person answers what is asked. */
export interface AnswerStep {
  readonly kind: 'answer'
  readonly agrees: boolean
  /** One is the person who asks the agents. */
  readonly actor: 'somebody' | 'another'
  readonly text: string
}

export interface WaitStep {
  readonly kind: 'wait'
  readonly ms: number
}

export type Step = StoredStep | EventStep | TurnStep | AnswerStep | WaitStep

/** What a model writes: `echo` repeats a tag that the person has written. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tag'
      /** The first of these that the state accepts is written, or else the first. */
      readonly choices: readonly Proposed[]
      readonly place: 'prose' | 'span' | 'fence' | 'echo'
    }
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly input: unknown
      readonly proposes: readonly Proposed[]
    }

export interface Proposed {
  readonly type: string
  readonly data: unknown
}
