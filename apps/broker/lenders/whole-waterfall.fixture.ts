import type { WaterfallResult } from '../case/state.ts'
import { askLender } from './waterfall.ts'
import type { Asking } from './waterfall.ts'

export type WholeWaterfall = Omit<Asking, 'index'> & { readonly fromIndex?: number }

/** Asks the lenders in order, as the effects of a case do, until no further one is due. */
export async function runWaterfall(run: WholeWaterfall): Promise<WaterfallResult> {
  const { fromIndex = 0, ...asking } = run
  const result = await askLender({ ...asking, index: fromIndex })
  const before = run.caseState.waterfall?.steps.length ?? 0
  const isSettled = result.acceptedOffer ?? (result.awaitingCounterDecision || result.exhausted)
  if (isSettled || result.steps.length === before) return result
  const caseState = { ...run.caseState, waterfall: result }
  return runWaterfall({ ...run, caseState, fromIndex: fromIndex + 1 })
}
