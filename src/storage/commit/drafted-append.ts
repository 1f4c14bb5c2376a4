import { LogError, place } from '../../log/index.ts'
import type { Anchor, Appended, Draft, Target } from '../../log/index.ts'
import { sha256 } from '../../platform/index.ts'

/** An append that was checked and encoded. */
export interface DraftedAppend {
  readonly thread: string
  readonly drafts: readonly Draft[]
  /** The head that its writer saw, if that matters. */
  readonly expectedVersion: number | null
}

/** The records of an append, or the error that refuses it. */
export type Outcome = Appended | LogError

/** Seals an append as if its thread held none of its ids: the insertion finds those that it holds. */
export function placeAsNew({ thread, drafts }: DraftedAppend, head: Anchor): Appended {
  return place(drafts, { thread, head, ...HOLDS_NOTHING }, { sha256 })
}

const HOLDS_NOTHING = { find: () => undefined, insert: () => true } as const

/** A conflict is found before anything of the append is placed, so that other appends need not fail. */
export function placeOrRefuse(append: DraftedAppend, target: Target): Outcome {
  const { drafts, expectedVersion } = append
  try {
    const options = { sha256, ...(expectedVersion !== null && { expectedVersion }) }
    return place(drafts, target, options)
  } catch (error) {
    if (error instanceof LogError && error.code === 'version_conflict') return error
    throw error
  }
}
