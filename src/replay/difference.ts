import type { Json } from '../json/index.ts'

/** Differences of one thread that are kept; later ones mostly follow from the first. */
export const DIFFERENCES_MAX = 100

export type DifferenceKind =
  | 'accepted_now'
  | 'refused_now'
  | 'other_result'
  | 'rule_added'
  | 'rule_gone'
  | 'other_state'
  | 'type_gone'

/** A place where a definition decides or folds otherwise than the record says. */
export interface Difference {
  readonly seq: number
  readonly kind: DifferenceKind
  /** The event type; of a state, the empty text. */
  readonly type: string
  /** The proposer: an agent, a surface, a rule, a source. */
  readonly by: string
  /** On record, without what its type declares as personal. */
  readonly was?: Json
  readonly now?: Json
}

/** A decision that the record does not hold enough of to make it again. */
export interface Undecided {
  readonly seq: number
  readonly type: string
  readonly why: string
}

/** The result of one thread. Its first difference is the cause; the others may follow from it. */
export interface ThreadReport {
  readonly thread: string
  readonly verdict: 'equal' | 'differs' | 'cannot_tell' | 'skipped'
  readonly records: number
  readonly decided: number
  readonly differences: readonly Difference[]
  readonly undecided: readonly Undecided[]
  /** Of a thread that was skipped, or that could not be compared at all. */
  readonly why?: string
}

/** The report of a thread that was not compared. */
export function notCompared(
  thread: string,
  verdict: 'cannot_tell' | 'skipped',
  why: string,
): ThreadReport {
  return { thread, verdict, records: 0, decided: 0, differences: [], undecided: [], why }
}
