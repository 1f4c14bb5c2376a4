import type { LanguageModel } from '../models/index.ts'
import type { Json } from '../json/index.ts'

/** What a turn has brought before the model is called, for the notes that tell the model of it. */
export interface TurnNews<State> {
  readonly state: State
  readonly accepted: readonly { readonly type: string; readonly data: Json }[]
  readonly refused: readonly { readonly type: string; readonly reason: string }[]
  /** The page was opened for the first time. */
  readonly first: boolean
  /** Nobody wrote and nobody clicked: the page only asks the model to go on. */
  readonly bare: boolean
}

/**
 * A model in front of people on one surface of an application. It tells what happened; what happens is
 * not up to it.
 */
export interface Narrator<State> {
  readonly agent: string
  readonly surface: string
  readonly model: LanguageModel
  readonly instructions: (state: State) => string
  readonly notes: (news: TurnNews<State>) => readonly string[]
  /** Whether a turn of this surface may start work in the world once the model call has ended well. */
  readonly maySubmit: boolean
}
